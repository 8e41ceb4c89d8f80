/** Finds the output that the build has prepared for a command line whose output is always the same. */

/** The paths of prepared files; the first one that exists is used. Undefined for any other command line. */
export function stillFiles(argv: readonly string[]): readonly string[] | undefined {
  const words = askedWords(argv);
  if (!words?.every((word) => /^[a-z][a-z0-9-]*$/.test(word))) return undefined;
  const command = `commands/${['dtp', ...words].join('.')}.json`;
  const isTopic = argv[0] === 'help' && words.length === 1 && argv[1] === words[0];
  return isTopic ? [`topics/${words[0]}.json`, command] : [command];
}

/** The words of the command, if the command line only asks for help. */
function askedWords(argv: readonly string[]): readonly string[] | undefined {
  if (argv.length === 0) return [];
  const last = argv.at(-1);
  if (last === '--help' || last === '-h') return argv.slice(0, -1);
  return argv[0] === 'help' ? argv.slice(1) : undefined;
}
