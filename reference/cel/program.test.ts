import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../api/json.ts';
import type { DeclaredType } from './declaredType.ts';
import { authorizerValue } from './libraries/authorizer.ts';
import { compileMatchCondition, matchCondition, matchConditionScope } from './matchConditions.ts';
import { type EvaluationResult, ExpressionScope } from './program.ts';

const STRING: DeclaredType = { kind: 'string' };
const INT: DeclaredType = { kind: 'int' };
const object = (fields: Record<string, DeclaredType>): DeclaredType => ({
  kind: 'object',
  fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type, source: name }])),
});
const SELF = object({
  text: STRING,
  number: INT,
  real: { kind: 'double' },
  list: { kind: 'list', items: object({ k: STRING }) },
  map: { kind: 'map', values: INT },
  any: { kind: 'dyn' },
  when: { kind: 'timestamp' },
});
const VALUE: Json = {
  text: 'héllo😀',
  number: 5,
  real: 2,
  list: [{ k: 'a' }, { k: 'b' }],
  map: { x: 1, constructor: 2 },
  any: { n: 1, f: 1.5, big: 9007199254740993n, list: [1, 'two'] },
  when: '2024-03-05T10:00:00Z',
};
const scope = new ExpressionScope({ self: SELF });

function outcome(expression: string, budget = 100_000): EvaluationResult {
  const compiled = scope.compile(expression, 'dyn');
  if ('fault' in compiled) throw new Error(compiled.fault);
  return compiled.program.evaluate({ self: scope.value('self', VALUE) }, budget);
}
function faultOf(expression: string): string {
  const compiled = scope.compile(expression, 'bool');
  return 'fault' in compiled ? compiled.fault : '';
}

describe('expressions that hold', () => {
  const rows = `
    self.number == 5 && self.real == 2.0 && self.any.n == 1 && self.any.f > 1
    self.any.big == 9007199254740993
    self.map.constructor == 2 && 'constructor' in self.map && !('toString' in self.map) && !has(self.map.__proto__)
    has(self.list[0].k) && !has(self.any.none) && has(self.any.list)
    self.list.all(x, x.k != '') && self.list.exists(x, x.k == 'b') && self.list.exists_one(x, x.k == 'a')
    self.list.map(x, x.k) == ['a', 'b'] && self.list.filter(x, x.k > 'a').size() == 1
    self.list == self.list && self.list[0] != self.list[1]
    self.text.size() == 6 && self.text.indexOf('😀') == 5 && self.text.substring(1, 2) == 'é' && self.text.charAt(6) == ''
    'a,b,c'.split(',', 2) == ['a', 'b,c'] && ['a', 'b'].join('-') == 'a-b' && ' x '.trim() == 'x' && 'Ab'.lowerAscii() == 'ab'
    'hello'.replace('l', 'L', 1) == 'heLlo' && 'abc'.reverse() == 'cba' && 'abab'.lastIndexOf('a') == 2
    'a1b22'.find('[0-9]+') == '1' && 'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'ab'.matches('^a.$') && matches('ab', 'b')
    '%s is %d, %.2f, %x'.format(['it', 3, 1.5, 255]) == 'it is 3, 1.50, ff'
    [3, 1, 2].sort() == [1, 2, 3] && [1, 2].sum() == 3 && [1.5, 2.5].max() == 2.5 && [[1], [2, [3]]].flatten(2) == [1, 2, 3]
    [1, 2, 2].distinct() == [1, 2] && [1, 2, 3].slice(1, 3) == [2, 3] && ['a', 'b'].isSorted() && [2, 1].indexOf(1) == 1
    sets.contains([1, 2], [2]) && sets.equivalent([1, 1, 2], [2, 1]) && !sets.intersects([1], [2])
    {1: 'a', 2: 'b'}[2] == 'b' && {true: 1}[true] == 1 && {'x': 1} == {'x': 1}
    self.map.all(k, v, v > 0) && [5, 6].transformList(i, v, v + i) == [5, 7] && {'a': 1}.transformMap(k, v, v > 0, v * 2) == {'a': 2}
    self.?text.orValue('') != '' && self.any.?none.orValue(7) == 7 && optional.of(2).optMap(x, x * 2).value() == 4
    quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1G').compareTo(quantity('1000M')) == 0
    quantity('1.5').add(quantity('500m')) == quantity('2') && !quantity('1.5').isInteger() && quantity('-1').sign() == -1
    url('https://user@h.example:8080/a%20b?x=1&x=2').getQuery()['x'] == ['1', '2'] && url('/p').getEscapedPath() == '/p'
    ip('fe80::1').isLinkLocalUnicast() && !isIP('1.2.3') && ip.isCanonical('::1') && !ip.isCanonical('0::1') && ip('8.8.8.8').isGlobalUnicast()
    cidr('10.1.0.0/16').containsCIDR('10.1.2.0/24') && !cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')
    semver('1.2.3-alpha.1').isLessThan(semver('1.2.3')) && semver('v1.2', true).patch() == 0 && !isSemver('1.2')
    format.dns1123Subdomain().validate('a.b').hasValue() == false && format.named('date').value().validate('2024-13-01').hasValue()
    self.when.getFullYear() == 2024 && self.when - timestamp('2024-03-05T09:00:00Z') == duration('1h')
    string(duration('1h')) == '3600s' && string(self.when) == '2024-03-05T10:00:00Z'
    (self.any.none == 1) || true
    !((self.any.none == 1) && false)
    cel.bind(x, self.number * 2, x + x) == 20`;
  for (const expression of rows.trim().split(/\n\s*/)) {
    it(expression, () => {
      assert.deepEqual({ ...outcome(expression), cost: 0 }, { value: true, cost: 0 });
    });
  }
});

describe('expressions that fail while they run', () => {
  const rows: readonly [string, string][] = [
    ['self.any.none == 1', 'no such key: none'],
    ['1 / (self.number - 5) == 1', 'division by zero'],
    ['5 % (self.number - 5) == 1', 'modulus by zero'],
    ['self.number * 9223372036854775807 > 0', 'integer overflow'],
    ['self.list[7].k == "a"', 'index out of bounds: 7'],
    ['self.any.list[1] + 1 == 2', 'no such overload'],
    [
      "quantity('x').isInteger()",
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ["'a'.matches('(' + '')", 'error parsing regexp: missing closing ): `(`'],
    ["duration('x' + '') == duration('1s')", 'time: invalid duration "x"'],
    ['[].max() == 1', 'max called on empty list'],
    ["'abc'.substring(2, 1) == ''", 'invalid substring range. start: 2, end: 1'],
    ['optional.none().value() == 1', 'optional.none() dereference'],
  ];
  for (const [expression, wanted] of rows) {
    it(expression, () => {
      const result = outcome(expression);
      assert.equal('fault' in result ? result.fault : '', wanted);
    });
  }
});

describe('expressions that do not compile', () => {
  const rows: readonly [string, string][] = [
    ['self.none == 1', "compilation failed: ERROR: <input>:1:5: undefined field 'none'\n | self.none == 1\n | ....^"],
    [
      'has(self.none)',
      "compilation failed: ERROR: <input>:1:9: undefined field 'none'\n | has(self.none)\n | ........^",
    ],
    [
      'other',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'other' (in container '')\n | other\n | ^",
    ],
    [
      'self.text.nope()',
      "compilation failed: ERROR: <input>:1:15: undeclared reference to 'nope' (in container '')\n | self.text.nope()\n | ..............^",
    ],
    [
      'self.text.matches(1)',
      "compilation failed: ERROR: <input>:1:18: found no matching overload for 'matches' applied to 'string.(int)'\n | self.text.matches(1)\n | .................^",
    ],
    [
      'true &&\n  self.number == "x"',
      "compilation failed: ERROR: <input>:2:15: found no matching overload for '_==_' applied to '(int, string)'\n |   self.number == \"x\"\n | ..............^",
    ],
    [
      "self.text.matches('a') && self.text.matches('[')",
      "compilation failed: ERROR: <input>:1:45: invalid matches argument\n | self.text.matches('a') && self.text.matches('[')\n | ............................................^",
    ],
    [
      "duration('1 day') == duration('1s')",
      "compilation failed: ERROR: <input>:1:10: invalid duration argument\n | duration('1 day') == duration('1s')\n | .........^",
    ],
    [
      "timestamp('today') == self.when",
      "compilation failed: ERROR: <input>:1:11: invalid timestamp argument\n | timestamp('today') == self.when\n | ..........^",
    ],
    ['self.number', 'must evaluate to bool but got int'],
  ];
  for (const [expression, wanted] of rows) it(expression, () => assert.equal(faultOf(expression), wanted));

  it('tell where the text breaks off', () => {
    assert.match(faultOf('self.number =='), /^compilation failed: ERROR: <input>:1:\d+: Syntax error: /);
  });
});

describe('budgets', () => {
  it('takes a part of a text for a tenth of one times a tenth of the other, by letters', () => {
    const costOf = (letters: number, part: string, letter = 'a') =>
      outcome(`'${letter.repeat(letters)}'.contains('${part}')`).cost;
    assert.equal(costOf(5_000, 'x'), 500);
    assert.equal(costOf(5_001, 'x'), 501);
    assert.equal(costOf(5_000, 'a'.repeat(500)), 25_000);
    assert.equal(costOf(5_000, 'x', '\u{1f600}'), 500);
    assert.equal(costOf(5_000, ''), 0);
  });

  it('end what costs too much, though its operators swallow faults', () => {
    const big = new ExpressionScope({ l: { kind: 'list', items: INT } });
    const compiled = big.compile('l.all(x, l.all(y, l.all(z, x + y + z >= 0))) || true', 'bool');
    assert.ok('program' in compiled);
    const l = big.value(
      'l',
      Array.from({ length: 300 }, (_, index) => index),
    );
    const result = compiled.program.evaluate({ l }, 10_000);
    assert.ok('fault' in result && result.exceeded && result.cost <= 10_200);
    const enough = compiled.program.evaluate({ l: [1n] }, 10_000);
    assert.deepEqual('value' in enough && enough.value, true);
  });
  it('count the length of texts that are made', () => {
    const result = outcome(`'${'x'.repeat(5_000)}'.replace('x', 'yyyyyyyyyy').replace('y', 'zzzz').size() > 0`, 10_000);
    assert.ok('fault' in result && result.exceeded);
  });
  for (const expression of [
    'l.all(x, l == l)',
    'l.distinct().size() > 0',
    'sets.equivalent(l, l)',
    'l.all(x, x in l)',
  ]) {
    it(`end what works on large operands again and again: ${expression}`, () => {
      const big = new ExpressionScope({ l: { kind: 'list', items: INT } });
      const compiled = big.compile(expression, 'bool');
      assert.ok('program' in compiled);
      const l = big.value(
        'l',
        Array.from({ length: 50_000 }, (_, index) => 50_000 - index),
      );
      const before = process.hrtime.bigint();
      const result = compiled.program.evaluate({ l }, 1_000_000);
      assert.ok('fault' in result && result.exceeded);
      assert.ok(process.hrtime.bigint() - before < 5_000_000_000n);
    });
  }
  it('do not depend on how patterns are written', () => {
    const before = process.hrtime.bigint();
    outcome(`'${'a'.repeat(40)}!'.matches('^(a+)+$')`);
    assert.ok(process.hrtime.bigint() - before < 1_000_000_000n);
  });
});

describe('match conditions', () => {
  it('know the request, its objects and an authorizer', () => {
    for (const expression of [
      "request.operation == 'CREATE' && request.userInfo.groups.exists(g, g == 'x') && !has(request.dryRun)",
      'object == null || object.metadata.name != oldObject.metadata.name',
      "authorizer.group('').resource('pods').namespace('n').check('get').allowed()",
      'namespaceObject == null',
    ]) {
      assert.equal(compileMatchCondition(expression), undefined, expression);
    }
    assert.match(compileMatchCondition('request.nope == 1') ?? '', /undefined field 'nope'/);
    assert.match(
      compileMatchCondition('authorizer.user == "x"') ?? '',
      /unexpected failed resolution of 'kubernetes\.authorization\.Authorizer'/,
    );
  });

  it('can afford two questions to the authorizer in one expression', () => {
    const authorizer = authorizerValue(() => ({ allowed: true, reason: '', error: '' }), {});
    const outcomeOf = (checks: number): EvaluationResult => {
      const check = "authorizer.group('').resource('pods').check('get').allowed()";
      const compiled = matchCondition(Array.from({ length: checks }, () => check).join(' && '));
      if ('fault' in compiled) throw new Error(compiled.fault);
      return compiled.program.evaluate({ authorizer }, 1_000_000);
    };
    const affordable = outcomeOf(2);
    assert.ok('value' in affordable && affordable.cost >= 700_000 && affordable.cost < 701_000);
    const dear = outcomeOf(3);
    assert.ok('fault' in dear && dear.exceeded);
  });

  it('ask the authorizer that they are given', () => {
    const asked: unknown[] = [];
    const authorizer = authorizerValue(
      (question) => {
        asked.push(question);
        return { allowed: question.verb === 'get', reason: 'because', error: '' };
      },
      { group: 'apps', resource: 'deployments' },
    );
    const run = (expression: string): EvaluationResult => {
      const compiled = matchCondition(expression);
      if ('fault' in compiled) throw new Error(compiled.fault);
      return compiled.program.evaluate({ authorizer, object: matchConditionScope().value('object', null) }, 1_000_000);
    };
    assert.equal((run("authorizer.requestResource.check('get').allowed()") as { value: unknown }).value, true);
    const other = run(
      "authorizer.serviceAccount('n', 's').group('').resource('pods').name('x').check('list').reason() == 'because'",
    );
    assert.equal((other as { value: unknown }).value, true);
    assert.deepEqual(asked, [
      { group: 'apps', resource: 'deployments', serviceAccount: undefined, verb: 'get' },
      { serviceAccount: { namespace: 'n', name: 's' }, group: '', resource: 'pods', name: 'x', verb: 'list' },
    ]);
  });
});
