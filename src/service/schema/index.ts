/** Lists the statements that create all tables, in order. Each statement can run more than once. */
import { content } from './content.ts';
import { tenancy } from './tenancy.ts';

export const schema: readonly string[] = [...tenancy, ...content];
