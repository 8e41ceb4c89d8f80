/** Writes workflow commands, which a CI runner executes, and changes strings that it must not execute. */

/** A note that the runner shows next to the job. It ends with a line break. */
export const annotation = (kind: 'error' | 'warning', title: string, message: string): string =>
  `::${kind} title=${inProperty(title)}::${inMessage(message)}\n`;

/** Makes the runner mask this string from now on. */
export const maskCommand = (secret: string): string => `::add-mask::${inMessage(secret)}\n`;

/** The order matters: the percent sign of an escape must not be escaped again. */
const inMessage = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const inProperty = (text: string) => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Changes a string so that the runner finds no command in it. The new syntax (`::`) is only valid at the start of a
 * line, the old one (`##[`) anywhere. In a JSON string, the escape stands for the same character. The pattern matches
 * spaces only within a line, because otherwise blank lines would make it take quadratic time.
 */
export const withoutCommands = (text: string): string =>
  text.replaceAll('##[', '#\\u0023[').replace(/^((?:[^\S\r\n\u2028\u2029]|\u0085)*):(?=:)/gm, '$1\\u003a');
