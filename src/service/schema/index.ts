/** The tables, in the order in which they are made. Every statement may be run again. */
import { content } from './content.ts';
import { tenancy } from './tenancy.ts';

export const schema: readonly string[] = [...tenancy, ...content];
