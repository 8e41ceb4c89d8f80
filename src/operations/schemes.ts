/** The three security schemes (Authentication 1) and the headers that carry them (records.md, Security schemes). */
export const schemes = ['api-key', 'bearer', 'workspace-identifier'] as const;

export type Scheme = (typeof schemes)[number];

/** Undefined for an unknown scheme. */
export const schemeNamed = (name: string | undefined): Scheme | undefined =>
  schemes.find((scheme) => scheme === name);

/**
 * The headers of the schemes. The API document does not name them. A profile may change all of them except for
 * bearer.
 */
export const schemeHeaders = {
  'api-key': 'x-api-key',
  bearer: 'authorization',
  'workspace-identifier': 'x-workspace-identifier',
} as const satisfies Record<Scheme, string>;
