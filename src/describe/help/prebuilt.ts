/** Finds the files with prebuilt help for a command line. */

/** Returns the paths of the files to try, in order. Undefined if the command line does not only ask for help. */
export function prebuiltHelpFiles(argv: readonly string[]): readonly string[] | undefined {
  const words = askedWords(argv);
  if (!words?.every((word) => /^[a-z][a-z0-9-]*$/.test(word))) return undefined;
  const command = `commands/${['dtp', ...words].join('.')}.json`;
  const isTopic = argv[0] === 'help' && words.length === 1 && argv[1] === words[0];
  return isTopic ? [`topics/${words[0]}.json`, command] : [command];
}

/** Returns the words of the command whose help is requested. Undefined for any other command line. */
function askedWords(argv: readonly string[]): readonly string[] | undefined {
  if (argv.length === 0) return [];
  const last = argv.at(-1);
  if (last === '--help' || last === '-h') return argv.slice(0, -1);
  return argv[0] === 'help' ? argv.slice(1) : undefined;
}
