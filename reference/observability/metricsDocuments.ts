import type { Dialect } from '../../fixtures/dialects/dialect.ts';
import type { Exchange } from '../api/request.ts';
import type { Answer } from '../contracts/answer.ts';
import { formatRelease, type Release } from '../contracts/release.ts';
import type { FeatureGates } from '../contracts/serverOptions.ts';
import { architecture, platform } from '../ports/host.ts';
import type { Health, HealthEndpoint } from './health.ts';
import { MetricsRegistry } from './metrics.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const ENDPOINTS: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** Metrics about the server itself: what it is, and which features are on. */
export function describeServer(
  metrics: MetricsRegistry,
  { vendor }: Dialect,
  release: Release,
  features: FeatureGates,
): void {
  const build = metrics.gauge({
    name: `${vendor}_build_info`,
    help: 'A metric with a constant 1 that tells the release.',
    stability: 'BETA',
    labels: ['git_version', 'major', 'minor', 'platform'],
  });
  build.set(
    {
      git_version: `v${formatRelease(release)}.0`,
      major: String(release.major),
      minor: String(release.minor),
      platform: `${platform}/${architecture}`,
    },
    1,
  );
  const enabled = metrics.gauge({
    name: `${vendor}_feature_enabled`,
    help: 'Whether a feature gate is on.',
    stability: 'BETA',
    labels: ['name', 'stage'],
  });
  metrics.beforeReading(() => {
    for (const { name, stage, on } of features.list()) {
      enabled.set({ name, stage: stage === 'GA' ? '' : stage.toUpperCase() }, on ? 1 : 0);
    }
  });
}

/** Answers `/metrics`, and `/metrics/slis` with the state of every health check. */
export function metricsDocuments(
  metrics: MetricsRegistry,
  health: Health,
  dialect: Dialect,
): (exchange: Exchange) => Promise<Answer | undefined> {
  return async ({ info }) => {
    if (info.isResource || info.verb !== 'get') return undefined;
    if (info.path === '/metrics') return text(await metrics.read());
    return info.path === '/metrics/slis' ? text(await checks(health, dialect)) : undefined;
  };
}

async function checks(health: Health, { vendor }: Dialect): Promise<string> {
  const registry = new MetricsRegistry();
  const states = registry.gauge({
    name: `${vendor}_healthcheck`,
    help: 'This metric records the result of a single healthcheck.',
    stability: 'STABLE',
    labels: ['name', 'type'],
  });
  for (const type of ENDPOINTS) {
    for (const { name, ok } of await health.states(type)) states.set({ name, type }, ok ? 1 : 0);
  }
  return registry.text();
}

function text(body: string): Answer {
  return { kind: 'text', code: 200, contentType: CONTENT_TYPE, body };
}
