import { check, clause, match, must, unsupported } from '../../harness/index.ts';

for (const path of ['/healthz', '/livez', '/readyz']) {
  check(`HEALTH-PATH-01.1/${path}`, `the watcher asks ${path} → 200`, ['HEALTH-PATH-01'], async ({ watcher }) => {
    must('the service is well', await watcher.request('GET', path), match.status(200));
  });
}

/** Ways to ask for every check. */
const VERBOSE = ['verbose', 'verbose=true', 'verbose=1', 'exclude=ping&verbose', 'verbose&exclude=ping&exclude=log'];

for (const endpoint of ['healthz', 'livez', 'readyz'] as const) {
  const path = `/${endpoint}`;
  check(
    `HEALTH-VERBOSE-01.1/${path}`,
    `the watcher asks ${path} for every check → a line each, and that they passed`,
    ['HEALTH-VERBOSE-01/lines', `HEALTH-VERBOSE-01/last-line/${endpoint}`],
    async ({ watcher }) => {
      const plain = await watcher.request('GET', path);
      const answers = await Promise.all(VERBOSE.map((query) => watcher.request('GET', `${path}?${query}`)));
      const texts = answers.map(({ text }) => text.trimEnd().split('\n'));
      await clause('HEALTH-VERBOSE-01/lines', async () => {
        must('without verbose it is the same health', plain, match.status(200));
        must('and not told', plain.text.includes('[+]'), match.equal(false));
        for (const answer of answers) must('it is well', answer, match.status(200));
        const line = match.text('[+]<name> ok', /^\[\+\]\S+ (excluded: )?ok$/);
        for (const lines of texts) must('each check has its line', lines.slice(0, -1), match.every(line));
        must('as many in each way', new Set(texts.map(({ length }) => length)).size, match.equal(1));
      });
      await clause(`HEALTH-VERBOSE-01/last-line/${endpoint}`, async () => {
        for (const lines of texts) must('and the last says so', lines.at(-1), match.equal('healthz check passed'));
      });
    },
  );
}

for (const path of ['/livez', '/readyz']) {
  check(
    `HEALTH-CHECK-01.1/${path}`,
    `the watcher asks ${path} for one check after another → each is answered`,
    ['HEALTH-CHECK-01'],
    async ({ watcher, target }) => {
      const verbose = await watcher.request('GET', `${path}?verbose`);
      const names = [...verbose.text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name);
      must('there are checks', names.length, match.aPositiveInteger);
      const one = await watcher.request('GET', `${path}/${names[0]}`);
      if (target.mode === 'url' && one.status === 404) unsupported('single checks are alpha, and off on the target');
      for (const name of names)
        must('it is answered by itself', await watcher.request('GET', `${path}/${name}`), match.status(200));
      must('an unknown one is not', await watcher.request('GET', `${path}/no-such-check`), match.error);
    },
  );
}

for (const path of ['/healthz', '/livez', '/readyz']) {
  check(
    `HEALTH-EXCLUDE-01.1/${path}`,
    `the watcher asks ${path} to leave checks out → their lines say so`,
    ['HEALTH-EXCLUDE-01'],
    async ({ watcher }) => {
      const answer = await watcher.request('GET', `${path}?verbose&exclude=ping&exclude=log`);
      must('it is well', answer, match.status(200));
      const lines = answer.text.split('\n');
      must('one is left out', lines, match.containing(match.startingWith('[+]ping excluded: ok')));
      must('so is the other', lines, match.containing(match.startingWith('[+]log excluded: ok')));
      const excluded = lines.filter((line) => line.includes('excluded'));
      must('and no more', excluded, match.size(2));
      const all = await watcher.request('GET', `${path}?verbose`);
      must('the lines are as many', lines.length, match.equal(all.text.split('\n').length));
      const twice = await watcher.request('GET', `${path}?exclude=ping&verbose&exclude=log&exclude=ping`);
      must('what is left out twice is left out', twice.text.includes('[+]ping excluded: ok'), match.equal(true));
      must('without verbose too', await watcher.request('GET', `${path}?exclude=ping`), match.status(200));
      for (const other of ['no-such-check', 'pin', 'ing', 'PING', 'poststarthook', 'poststarthook/', '*']) {
        const none = await watcher.request('GET', `${path}?verbose&exclude=${other}`);
        must(`nothing is left out by ${other}`, none.text.includes('excluded: ok'), match.equal(false));
      }
    },
  );
}

for (const endpoint of ['healthz', 'livez', 'readyz'] as const) {
  check(
    `HEALTH-EXCLUDE-01.3/${endpoint}`,
    `the watcher asks /${endpoint} to leave out every check that it names, those with a slash in their names too → each is left out`,
    [`HEALTH-EXCLUDE-01/every-name/${endpoint}`],
    async ({ watcher }) => {
      const all = await watcher.request('GET', `/${endpoint}?verbose`);
      const names = [...all.text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name = '']) => name);
      must('there are checks', names.length, match.aPositiveInteger);
      for (const written of [encodeURIComponent, (name: string) => name]) {
        const query = names.map((name) => `exclude=${written(name)}`).join('&');
        const answer = await watcher.request('GET', `/${endpoint}?verbose&${query}`);
        must('it is well', answer, match.status(200));
        const lines = answer.text.split('\n');
        for (const name of names) must(`${name} is left out`, lines, match.containing(`[+]${name} excluded: ok`));
      }
    },
  );
}

check(
  'HEALTH-CHECKS-01.1',
  'the watcher looks at the names of the checks → those that have to be',
  ['HEALTH-CHECKS-01'],
  async ({ watcher }) => {
    const answer = await watcher.request('GET', '/readyz?verbose');
    const names = [...answer.text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name);
    for (const name of ['ping', 'log', 'shutdown']) must(`${name} is one`, names, match.containing(name));
    must('start-up hooks are among them', names, match.containing(match.startingWith('poststarthook/')));
    // What the check of the storage is called is not in the text: it is one beside those that have names there.
    const told = /^(ping|log|shutdown|poststarthook\/.*|informer-sync|autoregister-completion)$/;
    const others = names.filter((name) => !told.test(name ?? ''));
    must('one is of the storage', others.length, match.aPositiveInteger);
    const live = await watcher.request('GET', '/livez?verbose');
    for (const name of ['ping', 'log'])
      must(`${name} is one of life`, live.text.includes(`[+]${name} ok`), match.equal(true));
  },
);

check(
  'HEALTH-ACCESS-01.1',
  'nobody asks the health endpoints → they are answered',
  ['HEALTH-ACCESS-01'],
  async ({ nobody }) => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      must('no credentials are needed', await nobody.request('GET', path), match.status(200));
    }
  },
);
