/** The version of this tool, as package.json has it. */
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;
