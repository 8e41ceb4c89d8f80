/** Defines the three security schemes (Authentication 1) and their headers (records.md, Security schemes). */
export const schemes = ['api-key', 'bearer', 'workspace-identifier'] as const;

export type Scheme = (typeof schemes)[number];

export const schemeNamed = (name: string | undefined): Scheme | undefined => schemes.find((scheme) => scheme === name);

/** The header of each scheme. The API document names none of them. A profile may change all except for bearer. */
export const schemeHeaders = {
  'api-key': 'x-api-key',
  bearer: 'authorization',
  'workspace-identifier': 'x-workspace-identifier',
} as const satisfies Record<Scheme, string>;
