import type { FlagTable } from '../../flags.ts';

export const CHECK_FLAGS = {
  output: { value: 'FORM', help: 'text or json; text unless told', local: true },
} as const satisfies FlagTable;

export const PLOT_FLAGS = {
  output: { value: 'FILE', help: 'where the SVG goes; standard output unless told', short: 'o', local: true },
} as const satisfies FlagTable;

export const UPGRADE_FLAGS = {
  from: { value: 'RELEASE', help: 'the release that runs now: 1.21', local: true },
  to: { value: 'RELEASE', help: 'the release to come: 1.25', local: true },
  dialect: { value: 'NAME', help: 'whose names the manifests use: kubernetes, cluster, or a file of names' },
  output: { value: 'FORM', help: 'text, json, or annotations for the log of a CI job; text unless told', local: true },
} as const satisfies FlagTable;
