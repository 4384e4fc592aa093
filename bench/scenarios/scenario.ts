import type { Served } from '../processes.ts';

/** One row of the figures. */
export interface FigureRow {
  readonly name: string;
  /** Already with its unit, for people. */
  readonly figure: string;
  /** Beside the bare server or another row, within this run. */
  readonly ratio?: string | undefined;
}
export interface BenchScenario {
  readonly name: string;
  /** Measures on a fresh reference; `milliseconds` is how long each loop runs. */
  readonly run: (context: { readonly reference: Served; readonly milliseconds: number }) => Promise<FigureRow[]>;
}

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
export const microseconds = (value: number): string => `${(value * 1000).toFixed(value < 0.1 ? 1 : 0)} µs`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

/** A config map of about one kilobyte. */
export function configMap(name: string, value = 'v'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { payload: value.padEnd(900, 'x') },
  });
}
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
