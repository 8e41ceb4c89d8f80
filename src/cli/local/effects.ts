/** What each local command does to the user's things, for the schema. Those of operations are in their records. */
import type { ErrorCode } from '../../errors.ts';
import type { Operation } from '../../operations/operation.ts';

export interface LocalEffect {
  readonly effect: NonNullable<Operation['effect']>;
  /** Whether it sends requests to the service, and may fail as an operation does. */
  readonly sends?: true;
  /** Whether its arguments must be given though commander does not require them: on a terminal they are asked for. */
  readonly asks?: true;
  /** What it may end with beside the codes that all such commands have. */
  readonly ends?: readonly ErrorCode[];
}

/** By the words of the command. */
export const localEffects: Readonly<Record<string, LocalEffect>> = {
  api: { effect: 'write', sends: true },
  'artifacts pull': { effect: 'read', sends: true, asks: true },
  'artifacts push': { effect: 'write', sends: true },
  'auth login': { effect: 'write', sends: true, ends: ['cancelled'] },
  'auth logout': { effect: 'write' },
  'auth oidc-token': { effect: 'read', sends: true },
  'auth status': { effect: 'read', sends: true },
  completion: { effect: 'read' },
  'config delete': { effect: 'destroy', ends: ['cancelled'] },
  'config explain': { effect: 'read' },
  'config get': { effect: 'read', ends: ['not_found'] },
  'config list': { effect: 'read' },
  'config path': { effect: 'read' },
  'config set': { effect: 'write' },
  'config trust': { effect: 'write', ends: ['cancelled'] },
  'config unset': { effect: 'write' },
  'config untrust': { effect: 'write' },
  'config use': { effect: 'write' },
  dev: { effect: 'write' },
  doctor: { effect: 'read', sends: true },
  'events spool drop': { effect: 'destroy', ends: ['cancelled'] },
  'events spool flush': { effect: 'write', sends: true, ends: ['partial', 'kept'] },
  'events spool list': { effect: 'read' },
  help: { effect: 'read' },
  mcp: { effect: 'write', sends: true },
  schema: { effect: 'read' },
  serve: { effect: 'write' },
};
