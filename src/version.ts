/** Defines the version of this tool and the Node versions that it supports. */
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** The oldest supported version of Node, and the last supported major version. */
export const supportedNode = { least: manifest.engines.node.replace(/^>=/, ''), lastMajor: 26 } as const;
