/** Says in words whose workspace a credential has, and which workspace is selected. */
import { shortId } from '../render/short.ts';
import type { Setting } from '../settings/resolve.ts';

/** Returns the workspace in the response of validateApiKey. Undefined if it is missing or invalid. */
export const idIn = ({ workspace_id: id }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= longestId ? id : undefined;

/** The maximum length of an id, in characters. Anything longer cannot be an id, and would flood error messages. */
const longestId = 1000;

/** Returns the source of a workspace setting as users know it, such as -w. */
export const sourceOf = ({ source }: Setting): string => (source === '--workspace' ? '-w' : source);

/** Returns which workspace is selected, as the end of a sentence: `-w selects "w_2"`. */
export const selectionText = (named: Setting): string =>
  named.source.startsWith('profile ')
    ? `the workspace of ${named.source} is "${shortId(named.value)}"`
    : `${sourceOf(named)} selects "${shortId(named.value)}"`;

export const workspaceMismatchText = (named: Setting, own: string): string =>
  `the credential belongs to workspace "${shortId(own)}", but ${selectionText(named)}, so commands that use the credential's workspace exit with 2. Others, such as dtp events post, act on "${shortId(named.value)}"`;
