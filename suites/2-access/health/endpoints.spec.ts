import { check, match, must } from '../../harness/index.ts';

for (const path of ['/healthz', '/livez', '/readyz']) {
  check(`the watcher asks ${path} → 200`, ['HEALTH-PATH-01'], async ({ watcher }) => {
    must('the service is well', await watcher.request('GET', path), match.status(200));
  });
}

for (const path of ['/livez', '/readyz']) {
  check(
    `the watcher asks ${path} for every check → a line each, and that they passed`,
    ['HEALTH-VERBOSE-01'],
    async ({ watcher }) => {
      const answer = await watcher.request('GET', `${path}?verbose`);
      must('it is well', answer, match.status(200));
      const lines = answer.text.trimEnd().split('\n');
      must('each check has its line', lines.slice(0, -1), match.every(match.text('[+]<name> ok', /^\[\+\]\S+ ok$/)));
      must('and the last says so', lines.at(-1), match.text('a line that ends in "check passed"', /check passed$/));
    },
  );

  check(
    `the watcher asks ${path} for one check after another → each is answered`,
    ['HEALTH-CHECK-01'],
    async ({ watcher }) => {
      const verbose = await watcher.request('GET', `${path}?verbose`);
      const names = [...verbose.text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name);
      must('there are checks', names.length, match.aPositiveInteger);
      for (const name of names)
        must('it is answered by itself', await watcher.request('GET', `${path}/${name}`), match.status(200));
      must('an unknown one is not', await watcher.request('GET', `${path}/no-such-check`), match.status(404));
    },
  );

  check(
    `the watcher asks ${path} to leave checks out → their lines say so`,
    ['HEALTH-EXCLUDE-01'],
    async ({ watcher }) => {
      const answer = await watcher.request('GET', `${path}?verbose&exclude=ping&exclude=log`);
      must('it is well', answer, match.status(200));
      const lines = answer.text.split('\n');
      must('one is left out', lines, match.containing(match.startingWith('[+]ping excluded: ok')));
      must('so is the other', lines, match.containing(match.startingWith('[+]log excluded: ok')));
    },
  );
}

check(
  'the watcher looks at the names of the checks → those that have to be',
  ['HEALTH-CHECKS-01'],
  async ({ watcher }) => {
    const answer = await watcher.request('GET', '/readyz?verbose');
    const names = [...answer.text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name);
    for (const name of ['ping', 'log', 'shutdown']) must(`${name} is one`, names, match.containing(name));
    must('start-up hooks are among them', names, match.containing(match.startingWith('poststarthook/')));
  },
);

check('nobody asks the health endpoints → they are answered', ['HEALTH-ACCESS-01'], async ({ nobody }) => {
  for (const path of ['/healthz', '/livez', '/readyz']) {
    must('no credentials are needed', await nobody.request('GET', path), match.status(200));
  }
});
