/** The version of this tool and of the Node that it runs on, as package.json has them. */
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** From this version to the last of this major: what it was tried with. */
export const supportedNode = { least: manifest.engines.node.replace(/^>=/, ''), lastMajor: 26 } as const;
