/** `dtp artifacts pull` and `push`: revisions of API documents into and out of a folder. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { PushOptions } from '../artifacts/push.ts';
import { withProgress } from '../spinner.ts';
import { groupOf } from '../tree.ts';

export function addArtifacts(program: Command, context: Context, argv: readonly string[]): void {
  const artifacts = groupOf(program, ['artifacts']);
  artifacts
    .command('pull')
    .description('Pull a revision into a folder, each part compared with its digest')
    // Not required by commander: on a terminal it is asked for.
    .argument('[ref]', 'NAMESPACE[:TAG], ORG/WORKSPACE/NAMESPACE:TAG or …@sha256:DIGEST')
    .addHelpText(
      'after',
      '\n-O DIR names the folder (default: the namespace, in the working folder); --force replaces all of one.',
    )
    .action(async (reference: string | undefined) => {
      const { runPull } = await import('../artifacts/pull.ts');
      const globals = program.opts();
      await runPull(withProgress(context, globals), globals, reference, argv);
    });
  artifacts
    .command('push')
    .description('Push a document with the files that it refers to, or a folder, as a revision')
    .argument('<path>', 'an OpenAPI document, or a folder with openapi.yaml, .yml or .json in it')
    .requiredOption('--namespace <name>', 'the namespace, made where it is absent')
    .option('--tag <tag>', 'a tag, latest where none is given (may be repeated)', gather)
    .option(
      '--include <file>',
      'allow a hidden file, or one of another type, that the document refers to (may be repeated)',
      gather,
    )
    .action(async (path: string, options: PushOptions) => {
      const { runPush } = await import('../artifacts/push.ts');
      const globals = program.opts();
      await runPush(withProgress(context, globals), globals, path, options, argv);
    });
}

const gather = (value: string, before: readonly string[] = []) => [...before, value];
