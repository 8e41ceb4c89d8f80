/** The tables in the order of their creation. Every statement can be run again. */
import { content } from './content.ts';
import { tenancy } from './tenancy.ts';

export const schema: readonly string[] = [...tenancy, ...content];
