/** Workflow commands: lines that a CI runner reads out of a log, and texts that it must not take for one. */

/** A note that the runner shows beside the job. Ends with a line break. */
export const annotation = (kind: 'error' | 'warning', title: string, message: string): string =>
  `::${kind} title=${inProperty(title)}::${inMessage(message)}\n`;

/** From now on the runner hides this text wherever it would show it. */
export const maskCommand = (secret: string): string => `::add-mask::${inMessage(secret)}\n`;

/** In this order: what stands for a percent sign must not be read as one. */
const inMessage = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const inProperty = (text: string) => inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * A text in which the runner finds no command, whoever wrote it: the new form begins a line, the old one stands anywhere.
 * In a string of JSON it is an escape of the same character. The spaces are those of one line, or blank lines would be
 * read again and again.
 */
export const withoutCommands = (text: string): string =>
  text.replaceAll('##[', '#\\u0023[').replace(/^((?:[^\S\r\n\u2028\u2029]|\u0085)*):(?=:)/gm, '$1\\u003a');
