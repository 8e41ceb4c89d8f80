/** The three security schemes (Authentication 1) and the headers that carry them (records.md, Security schemes). */
export const schemes = ['api-key', 'bearer', 'workspace-identifier'] as const;

export type Scheme = (typeof schemes)[number];

/** Undefined for a name that is not a scheme's. */
export const schemeNamed = (name: string | undefined): Scheme | undefined =>
  schemes.find((scheme) => scheme === name);

/** The document does not show the names: a profile may change the names that are not standardized. */
export const schemeHeaders = {
  'api-key': 'x-api-key',
  bearer: 'authorization',
  'workspace-identifier': 'x-workspace-identifier',
} as const satisfies Record<Scheme, string>;
