/** Events that a client posts, as `dtp events post` posts them: filled in, kept on the disk until they are delivered. */
import { Writable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Input, Operation } from '../../operations/operation.ts';
import type { Value } from '../../request/read.ts';
import { runPost } from '../events/post.ts';
import { flowOptions } from '../flow-options.ts';
import type { Globals } from '../globals.ts';
import { withProgress } from '../spinner.ts';

/** What became of them. Throws what the command would end with, such as `kept`. */
export async function postEvents(
  context: Context,
  operation: Operation,
  { body }: Input,
  globals: Globals,
): Promise<Value> {
  const pieces: string[] = [];
  const stdout = new Writable({
    write: (piece, _encoding, done) => {
      pieces.push(String(piece));
      done();
    },
  });
  const flow = Object.fromEntries(
    flowOptions(operation).map((one) => [one.attributeName(), one.defaultValue]),
  );
  const given = { argv: operation.command, args: [], flags: { body: JSON.stringify(body) }, flow };
  await runPost(withProgress({ ...context, stdout }, { progress: false }), operation, given, {
    ...globals,
    json: true,
  });
  return { kind: 'json', status: 200, value: JSON.parse(pieces.join('')) };
}
