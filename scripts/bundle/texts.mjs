/** The files that src/ imports as strings: the fixed parts of completion scripts, and the sample files. */
const extensions = ['bash', 'zsh', 'fish', 'ps1', 'yaml', 'yml', 'ndjson', 'html'];

export const isText = (id) => extensions.some((extension) => id.endsWith(`.${extension}`));

/** The same for the bundler. */
export const moduleTypes = Object.fromEntries(extensions.map((extension) => [`.${extension}`, 'text']));
