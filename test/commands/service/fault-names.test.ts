/** The operations of `--fail` and `--drop`. */
import { expect, test } from 'vitest';
import { withOperationId } from '../../../src/commands/service/server.ts';
import { allOperations } from '../../../src/operations/index.ts';

test('the words of each command are its operation', () => {
  for (const { id, command } of allOperations) {
    expect(withOperationId('fail', `${command.join(' ')}=503x2`)).toBe(`${id}=503x2`);
    expect(withOperationId('fail', `${id}=503@20%`)).toBe(`${id}=503@20%`);
  }
});

test.each([
  ['dtp events post=503', 'postWorkspaceEvents=503'],
  ['tokens list=500', 'getWorkspaceTokens=500'],
  ['*=500', '*=500'],
  ['codehost actions trigger=failure', 'codehostTriggerAction=failure'],
  ['no form', 'no form'],
])('%s', (text, expected) => {
  expect(withOperationId('drop', text)).toBe(expected);
});

test.each([
  ['event post=503', 'events post'],
  ['postWorkspaceEvent=503', 'postWorkspaceEvents'],
])('%s: did you mean %s?', (text, similar) => {
  expect(() => withOperationId('fail', text)).toThrow(
    `--fail: unknown operation "${text.replace(/=.*/, '')}" (did you mean "${similar}"?)`,
  );
});
