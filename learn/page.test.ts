import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page, type Request } from '@playwright/test';
import { readOptions } from '../reference/options/loadOptions.ts';
import { createReference } from '../reference/reference.ts';
import { inProcessRequest } from '../reference/transport/inProcess.ts';
import { partsOfStory } from './engine/parts.ts';
import { readScenarios } from './library.ts';
import { mutantNamed } from './mutants.ts';
import { play } from './play.ts';
import type { Played } from './played.ts';
import { judged as policy } from './policy.ts';
import type { Scenario } from './scenario.ts';
import type { Site } from './site.ts';
import { builtSite } from './testing/builtSite.ts';
import { recordingsIn } from './testing/recordings.ts';

const ROOT = join(import.meta.dirname, '..');
const CHROMIUM = '/usr/bin/chromium';
const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} on this machine`;
const SCENARIOS = readScenarios(join(ROOT, 'fixtures/scenarios'));
/** Bytes of gzipped script that are loaded until the first step of a story is shown. */
const LARGEST = 460_000;

/** Requests as they are asked of a server without any story, and what each answers. */
const TOKENS = 'admin-token,admin,admin-uid,system:masters\n';
const FLAGS = ['--seed=7', '--clock=virtual', '--token-auth-file=users'];
const JSON_TYPE = { 'content-type': 'application/json' };
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' }, name: { type: 'string', pattern: '^[a-z]+$' } },
                'x-kubernetes-validations': [{ rule: 'self.size < 10', message: 'too large' }],
              },
            },
          },
        },
      },
    ],
  },
};
const widget = (spec: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { generateName: 'w-' },
  spec,
});
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';
/** A member of a message of protobuf: bytes that are no text where it is long. */
const member = (number: number, value: string | readonly number[]): number[] => {
  const bytes = typeof value === 'string' ? [...Buffer.from(value)] : value;
  const size = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return [(number << 3) | 2, ...size, ...bytes];
};
const NAMESPACE = [
  ...Buffer.from('k8s\0'),
  ...member(1, [...member(1, 'v1'), ...member(2, 'Namespace')]),
  ...member(
    2,
    member(1, [...member(1, 'bytes'), ...member(12, [...member(1, 'long'), ...member(2, 'a'.repeat(200))])]),
  ),
];

interface AskedRequest {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Record<string, string>;
  /** Text, or bytes. */
  readonly body?: string | readonly number[];
}
const ASKED: readonly AskedRequest[] = [
  { target: '/api' },
  { target: '/apis', headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' } },
  { target: '/openapi/v3/apis/apps/v1' },
  { target: '/api/v1/namespaces' },
  { target: '/api/v1/namespaces', headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } },
  { target: '/api/v1/namespaces', headers: { accept: 'application/vnd.kubernetes.protobuf' } },
  { target: '/api/v1/namespaces/kube-system', headers: { accept: 'application/yaml' } },
  { target: '/api/v1/namespaces/default', headers: { accept: 'application/cbor' } },
  {
    method: 'POST',
    target: '/api/v1/namespaces/default/pods',
    headers: JSON_TYPE,
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { generateName: 'p-' },
      spec: { containers: [{ name: 'c', image: 'i:1' }] },
    }),
  },
  {
    method: 'POST',
    target: '/api/v1/namespaces/default/serviceaccounts/default/token',
    headers: JSON_TYPE,
    body: '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":["a"]}}',
  },
  {
    method: 'POST',
    target: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    headers: JSON_TYPE,
    body: JSON.stringify(widgets),
  },
  { method: 'POST', target: WIDGETS, headers: JSON_TYPE, body: JSON.stringify(widget({ size: 2, name: 'a' })) },
  { method: 'POST', target: WIDGETS, headers: JSON_TYPE, body: JSON.stringify(widget({ size: 12, name: 'A1' })) },
  {
    method: 'DELETE',
    target: '/api/v1/namespaces/default',
    headers: JSON_TYPE,
    body: '{"kind": "DeleteOptions", "nonsense": 1}',
  },
  { target: '/api/v1/namespaces/default/configmaps?limit=1&labelSelector=%C3%A4%3Db' },
  {
    method: 'POST',
    target: '/api/v1/namespaces/default/configmaps',
    headers: JSON_TYPE,
    body: '{"metadata": {"name": "\\ud800 ü"}, "data": 5',
  },
  {
    method: 'POST',
    target: '/api/v1/namespaces',
    headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
    body: NAMESPACE,
  },
  { target: '/api/v1/namespaces/bytes' },
  { target: '/metrics/slis' },
  { target: '/livez?verbose' },
];

/** What /version and /metrics say of the machine, in bodies as JSON has them, and how long that is in all. */
const OF_MACHINE = [
  /(\\"(?:goVersion|platform)\\":\\")[^"\\]*/g,
  /(_build_info\{[^}]*platform=\\")[^"\\]*/g,
  /(apiserver_response_sizes_sum\{[^}]*\/metrics[^}]*\} )\d+/g,
];

/** What was played, but for what is said of the machine. */
function anywhere(played: unknown): string {
  return OF_MACHINE.reduce((text, words) => text.replace(words, '$1'), JSON.stringify(played));
}

type Told = readonly [code: number, headers: string, body: string];

async function toldByNode(): Promise<Told[]> {
  const loaded = readOptions(FLAGS, { read: () => TOKENS });
  assert.ok('options' in loaded);
  const reference = await createReference(loaded.options);
  const told: Told[] = [];
  for (const asked of ASKED) {
    const headers = { authorization: 'Bearer admin-token', ...asked.headers };
    const body = typeof asked.body === 'object' ? Uint8Array.from(asked.body) : (asked.body ?? '');
    const reply = await reference.handler(inProcessRequest({ ...asked, headers, body }));
    assert.equal(reply.kind, 'whole');
    const pairs = Object.entries(reply.headers).flatMap(([name, value]) =>
      [value].flat().map((one) => `${name}: ${one}`),
    );
    told.push([
      reply.code,
      pairs.sort().join('\n'),
      reply.kind === 'whole' ? Buffer.from(reply.body).toString('base64') : '',
    ]);
  }
  await reference.close();
  return told;
}

/** Runs in the page. */
const TOLD_BY_TAB = `async ({ flags, tokens, asked }) => {
  const engine = touchstone.engine();
  await engine.open(flags, tokens);
  const told = [];
  for (const { method, target, headers, body } of asked) {
    const init = { method, headers: { authorization: 'Bearer admin-token', ...headers }, body: Array.isArray(body) ? new Uint8Array(body) : body };
    const response = await engine.handle(new Request('https://server' + target, init));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const pairs = [...response.headers].map(([name, value]) => name + ': ' + value);
    told.push([response.status, pairs.sort().join('\\n'), btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))]);
  }
  return told;
}`;

describe('the page in a browser, from a disk', { skip }, () => {
  let site: Site;
  let folder: string;
  let address: string;
  let browser: Browser;
  let page: Page;
  const trouble: string[] = [];
  const loadedAtFirst: string[] = [];
  const status = (text: string | RegExp) => page.locator('#said').getByText(text).waitFor();

  before(async () => {
    site = await builtSite(SCENARIOS);
    folder = mkdtempSync(join(tmpdir(), 'learn-'));
    for (const [name, text] of site) writeFileSync(join(folder, name), text);
    address = pathToFileURL(join(folder, 'index.html')).href;
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    page = await browser.newPage();
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    page.on('request', (request) => {
      const url = request.url();
      if (!/^(data:|blob:)/.test(url) && !url.startsWith(address.replace(/index\.html$/, '')))
        trouble.push(`asked for ${url}`);
    });
    const loads = (request: Request) => {
      if (request.resourceType() === 'script' && !request.url().startsWith('blob:'))
        loadedAtFirst.push(basename(request.url()));
    };
    page.on('request', loads);
    await page.goto(address);
    await status('Step 1 of');
    page.off('request', loads);
    await page.goto('about:blank');
    await page.goto(`${address}#01-apply-conflict/1`);
    await status('Step 1 of 3, answered 201');
  });
  after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('loads little', () => {
    assert.ok(loadedAtFirst.includes('engine.js') && loadedAtFirst.includes('stories.js'), loadedAtFirst.join());
    const size = loadedAtFirst.reduce((sum, name) => sum + gzipSync(site.get(name) ?? '').length, 0);
    assert.ok(size <= LARGEST, `${size} bytes of script: ${loadedAtFirst.join()}`);
  });

  it('walks a story by the keyboard, and tells what the merge decided', async () => {
    await page.keyboard.press('ArrowRight');
    await status('Step 2 of 3, answered 409');
    assert.equal(await page.getByRole('row', { name: '.data.colour conflict author' }).count(), 1);
    await page.keyboard.press('ArrowLeft');
    await status('Step 1 of 3, answered 201');
    assert.equal(await page.getByRole('button', { name: 'Back' }).isDisabled(), true);
    assert.match(await page.locator('#answer').innerText(), /"colour": "blue",? author/);
  });

  it('plays on with a request that the reader changed, keeps it in the link, and goes back to the story', async () => {
    await page
      .locator('#steps')
      .getByRole('button', { name: /^Step 2/ })
      .click();
    const body = page.getByLabel('body', { exact: true });
    await body.fill((await body.inputValue()).replace('red', 'blue'));
    await page.getByRole('button', { name: 'Run with this request' }).click();
    await status('Step 2 of 3, answered 200');
    assert.equal(await page.getByRole('row', { name: '.data.colour shared author' }).count(), 1);
    const link = page.url();
    const other = await browser.newPage();
    await other.goto(link);
    await other.locator('#said').getByText('Step 2 of 3, answered 200').waitFor();
    assert.equal(await other.locator('#departed').isVisible(), true);
    await other.goto('about:blank');
    await other.goto(link.slice(0, -12));
    await other.locator('#said').getByText('The link was cut').waitFor();
    assert.equal(await other.locator('#title').innerText(), 'Two managers want the same field');
    await other.close();
    await page.getByRole('button', { name: 'As in the story' }).click();
    await status('Step 2 of 3, answered 409');
  });

  it('adds a step, lets time pass before it, drops and removes steps', async () => {
    await page.getByRole('button', { name: 'Add a step after' }).click();
    await status('Step 3 of 4, answered 200');
    await page.getByLabel('seconds before').fill('90');
    await page.locator('#who').selectOption('stranger');
    await page.getByRole('button', { name: 'Run with this request' }).click();
    await status('Step 3 of 4, answered 403');
    assert.match(await page.locator('#sent').innerText(), /At 2025-01-01T00:01:30/);
    await page.getByRole('button', { name: 'Fork here' }).click();
    await status('Step 3 of 3, answered 403');
    await page.locator('#beside').selectOption({ label: 'the branch that was left' });
    await status('Played beside it. Step 3 of 3, answered 403');
    await page.getByRole('heading', { name: 'Beside it: the branch that was left' }).waitFor();
    await page.locator('#beside').selectOption({ label: 'nothing' });
    await page.getByRole('button', { name: 'Remove this step' }).click();
    await status('Step 2 of 2, answered 409');
    await page.getByRole('button', { name: 'As in the story' }).click();
    await status('Step 2 of 3');
  });

  it('says what is wrong with a request or a story in a sentence', async () => {
    await page.locator('#path').fill('version');
    await page.getByRole('button', { name: 'Run with this request' }).click();
    await status('A path begins with a slash');
    const story = { name: 'mine.yaml', mimeType: 'application/yaml', buffer: Buffer.from('title: t\nsteps: []\n') };
    await page.locator('#file').setInputFiles(story);
    await status('mine: steps: a story has at least one step');
    const good = 'title: Mine\nabout: a\nstatements: []\nsteps:\n  - {title: s, request: GET /version, expect: 200}\n';
    await page.locator('#file').setInputFiles({ ...story, buffer: Buffer.from(good) });
    await status('Story: Mine. Step 1 of 1, answered 200');
  });

  it('puts a broken server beside the story, goes to the difference, and keeps it in the link', async () => {
    const story = {
      title: 'Broken',
      about: 'a',
      statements: ['1/server-side-apply-rules/4'],
      broken: { mutant: 'conflict-becomes-last-write-wins', step: 2, look: 'The second write wins.' },
      steps: [
        ...['one', 'two'].map((by) => ({
          title: by,
          request: `PUT /api/v1/namespaces/default/configmaps/a`,
          body: { metadata: { name: 'a', resourceVersion: by === 'one' ? '' : '1' }, data: { by } },
          expect: by === 'one' ? 404 : 409,
        })),
      ],
    };
    const made = {
      title: 'made',
      request: 'POST /api/v1/namespaces/default/configmaps',
      body: { metadata: { name: 'a' } },
    };
    const steps = [{ ...made, expect: 201 }, story.steps[1]];
    await page.locator('#file').setInputFiles({
      name: 'broken.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(JSON.stringify({ ...story, steps })),
    });
    await status('Story: Broken. Step 1 of 2, answered 201');
    await page.getByRole('button', { name: 'Break the rule' }).click();
    await status('The first difference. Step 2 of 2, answered 409');
    assert.match(await page.locator('#otherwise').innerText(), /It answers 200, here 409\./);
    assert.match(await page.locator('#broken-look').innerText(), /The second write wins\. See step 2\./);
    assert.equal(await page.getByRole('button', { name: /^Step 2.*otherwise beside it/ }).count(), 1);
    const other = await browser.newPage();
    await other.goto(page.url());
    await other.locator('#otherwise').getByText('It answers 200, here 409.').waitFor();
    assert.equal(await other.locator('#title').innerText(), 'Broken');
    await other.close();
    await page.locator('#beside').selectOption({ label: 'step 1: made' });
    await status('Step 2 of 2');
    await page.getByRole('heading', { name: 'Its request' }).waitFor();
    await page.locator('#beside').selectOption({ label: 'a server of release 1.20' });
    await status('Played beside it.');
    await page.getByRole('heading', { name: 'Beside it: a server of release 1.20' }).waitFor();
  });

  it('finds stories by words and by the keyboard', async () => {
    await page.locator('#title').click();
    await page.keyboard.press('/');
    await page.keyboard.type('initial events');
    await page
      .locator('#found')
      .getByText(/^[1-9] stor/)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    const first = await page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('Enter');
    await status(`Story: ${first}`);
    await page.locator('#find').fill('');
  });

  it('drags through the steps', async () => {
    await page.goto('about:blank');
    await page.goto(`${address}#08-list-then-watch/1`);
    await status('Step 1 of 5');
    const box = await page.locator('#slider').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 8, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 12 });
    await status('Step 5 of 5');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
    await status('Step 3 of 5');
    await page.mouse.up();
    await page.keyboard.press('ArrowLeft');
    await status('Step 2 of 5');
  });

  it('marks in a long text what the story speaks of, where it can be seen', async () => {
    await page.goto('about:blank');
    await page.goto(`${address}#107-a-metric-is-deprecated/3`);
    await status('Step 3 of 3, answered 200');
    const mark = page.locator('#answer mark');
    assert.equal(await mark.innerText(), 'etcd_object_counts{resource="configmaps"} 1');
    const isSeen = `(() => {
      const mark = document.querySelector('#answer mark');
      const [inner, outer] = [mark, mark.closest('pre')].map((one) => one.getBoundingClientRect());
      return inner.top >= outer.top && inner.bottom <= outer.bottom;
    })()`;
    assert.equal(await page.evaluate(isSeen), true);
    await page.goto('about:blank');
    await page.goto(`${address}#08-list-then-watch/2`);
    await status('Step 2 of 5');
  });

  it('shows what watches are told', async () => {
    await page.getByRole('button', { name: 'First list, then watch' }).click();
    await status('Step 1 of 5');
    await page
      .locator('#steps')
      .getByRole('button', { name: /^Step 4/ })
      .click();
    await page.getByText('watch of step 3: MODIFIED').waitFor();
    const current = page.getByRole('navigation').getByRole('button', { name: 'First list, then watch' });
    assert.equal(await current.getAttribute('aria-current'), 'page');
  });

  /** Plays a story in the tab, and in Node meanwhile. */
  const playedInBoth = (scenario: Scenario, id?: string) => {
    const mutant = id === undefined ? undefined : mutantNamed(id);
    const question = [scenario, 'cluster', ...(id === undefined ? [] : [id])].map((one) => JSON.stringify(one));
    return Promise.all([
      page.evaluate(`touchstone.engine().play(${question.join()})`),
      play(scenario, { dialect: 'cluster', mutant, policy }),
    ]).then((both) => both.map((played) => JSON.parse(anywhere(played)) as Played));
  };

  it('plays every story with the bytes that Node plays it with', async () => {
    // Those first that need no script beside the engine: what others loaded would hide that they need one.
    const needs = (one: Scenario) => partsOfStory(one).length;
    for (const scenario of [...SCENARIOS].sort((one, other) => needs(one) - needs(other))) {
      const [inTab, inNode] = await playedInBoth(scenario);
      assert.deepEqual(inTab, inNode, scenario.name);
    }
  });

  it('plays every story on the broken server that it tells of with the bytes that Node plays it with', async () => {
    for (const scenario of SCENARIOS) {
      const { mutant } = scenario.broken ?? {};
      if (mutant === undefined) continue;
      const [inTab, inNode] = await playedInBoth(scenario, mutant);
      assert.equal(inNode?.mutant?.id, mutant);
      assert.deepEqual(inTab, inNode, `${scenario.name} on ${mutant}`);
    }
  });

  const recordings = process.env.GOLDEN_DIR;
  it('plays recordings with the bytes that Node plays them with', {
    skip: recordings === undefined ? 'GOLDEN_DIR names no folder of recordings' : false,
  }, async (test) => {
    const all = recordingsIn(recordings ?? '');
    assert.ok(all.length > 0, `there is no recording in ${recordings}`);
    const other: string[] = [];
    for (const scenario of all) {
      const inTab = await page.evaluate(`touchstone.engine().play(${JSON.stringify(scenario)}, 'kubernetes')`);
      const inNode = await play(scenario, { dialect: 'kubernetes', policy });
      if (anywhere(inTab) !== anywhere(inNode)) other.push(scenario.name);
    }
    assert.deepEqual(other, []);
    test.diagnostic(`${all.length} recordings`);
  });

  it('answers requests with the bytes that Node answers them with', async () => {
    const given = JSON.stringify({ flags: FLAGS, tokens: TOKENS, asked: ASKED });
    const inTab = (await page.evaluate(`(${TOLD_BY_TAB})(${given})`)) as Told[];
    for (const [index, expected] of (await toldByNode()).entries()) {
      const [code, headers, body] = inTab[index] as Told;
      const { method = 'GET', target } = ASKED[index] as (typeof ASKED)[number];
      const text = (encoded: string) => Buffer.from(encoded, 'base64').toString('latin1');
      if (target === '/api/v1/namespaces/bytes') assert.match(text(body), /"long":"a{200}"/);
      assert.equal(text(body), text(expected[2]), `${method} ${target}`);
      assert.equal(code, expected[0], `${method} ${target}`);
      assert.equal(headers, expected[1], `${method} ${target}`);
    }
  });

  it('streams a watch until it is cancelled', async () => {
    const told = await page.evaluate(`(async () => {
      const engine = touchstone.engine();
      const authorization = 'Bearer admin-token';
      const path = 'https://server/api/v1/namespaces/default/secrets';
      const watch = await engine.handle(new Request(path + '?watch=1', { headers: { authorization } }));
      const reader = watch.body.getReader();
      const headers = { authorization, 'content-type': 'application/json' };
      await engine.handle(new Request(path, { method: 'POST', headers, body: '{"metadata": {"name": "s"}}' }));
      const { value } = await reader.read();
      await reader.cancel();
      return JSON.parse(new TextDecoder().decode(value)).type;
    })()`);
    assert.equal(told, 'ADDED');
  });

  it('says what a tab cannot do', async () => {
    const flags = JSON.stringify([...FLAGS, '--data-dir=/tmp/x']);
    const said = await page.evaluate(
      `touchstone.engine().open(${flags}, ${JSON.stringify(TOKENS)}).catch((error) => error.message)`,
    );
    assert.match(String(said), /a tab of a browser cannot/);
  });

  it('asked nobody, and met no fault', () => assert.deepEqual(trouble, []));
});
