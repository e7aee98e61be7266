// AdmissionReviews and their answers, hostnames that are claimed until a cache shows them, and thousands of
// malformed Capps.
import { applied, pointer } from '../../../admission/patch.ts';
import { MOST_PENDING, notes } from '../../../admission/pending.ts';
import { answer, readReview, requestOf } from '../../../admission/review.ts';
import { applyRules, PATHS } from '../../../admission/router.ts';
import { asked, configured } from '../../support/builders/admission.ts';
import { malformedCapp } from '../../support/builders/manifests/malformed-capps.ts';
import { random } from '../../support/builders/random.ts';

const request = {
  uid: 'u',
  kind: { group: 'g', version: 'v', kind: 'Capp' },
  operation: 'CREATE',
  userInfo: { username: 'alice' },
};
const review = (given: object) => {
  const read = readReview(
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { ...request, ...given },
    }),
  );
  if (read === null) throw new Error('unreadable');
  return read;
};
const NOTHING = { problems: [], patches: [], warnings: [] };

describe('an AdmissionReview', () => {
  it('is parsed into the fields that the rules need', () => {
    expect(requestOf(review({ object: { a: 1 }, dryRun: true, options: {} }))).toEqual({
      operation: 'CREATE',
      namespace: '',
      name: '',
      username: 'alice',
      object: { a: 1 },
      oldObject: null,
      dryRun: true,
    });
  });

  it('has the name that the object has got, where the API server makes the name and asks without one', () => {
    const nameOf = (given: object) => requestOf(review(given)).name;
    const object = { metadata: { generateName: 'gen-', name: 'gen-x7' } };
    expect(nameOf({ name: '', object })).toBe('gen-x7');
    expect(nameOf({ object: { metadata: { generateName: 'gen-' } } })).toBe('');
    expect(nameOf({ name: 'own', object })).toBe('own');
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"kind":"AdmissionReview"}',
    JSON.stringify({ apiVersion: 'admission.k8s.io/v1beta1', request }),
  ])('is not parsed from: %s', (text) => {
    expect(readReview(text)).toBeNull();
  });

  it('is answered with allowed and nothing else when no rule has an objection', () => {
    expect(answer(review({}), NOTHING)).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: 'u', allowed: true },
    });
  });

  it('is answered with a patch and with warnings of at most 256 characters', () => {
    const patches = [{ op: 'add' as const, path: '/a', value: 1 }];
    expect(answer(review({}), { ...NOTHING, patches, warnings: ['w'.repeat(300)] })).toMatchObject({
      response: { patchType: 'JSONPatch', patch: btoa(JSON.stringify(patches)), warnings: ['w'.repeat(256)] },
    });
  });

  it.each([
    ['CREATE', 422, 'Invalid', 'spec.site: unknown; spec.x: wrong'],
    ['DELETE', 403, 'Forbidden', 'unknown; wrong'],
  ])('for a %s is refused with code %d', (operation, code, reason, message) => {
    const problems = [
      { field: 'spec.site', reason: 'FieldValueNotFound' as const, message: 'unknown', fromCache: true },
      { field: 'spec.x', reason: 'FieldValueInvalid' as const, message: 'wrong', fromCache: false },
    ];
    const { response } = answer(review({ operation, name: 'n' }), { ...NOTHING, problems }) as {
      response: Record<string, unknown>;
    };
    expect(response).toMatchObject({
      allowed: false,
      status: { code, reason, message, details: { name: 'n', kind: 'Capp' } },
    });
    expect(response).not.toHaveProperty('patch');
  });
});

test('JSON Patch paths follow RFC 6901, and a patch without a parent is refused as by the API server', () => {
  expect(pointer('a/b', 'c~d', 0)).toBe('/a~1b/c~0d/0');
  expect(applied({ m: {} }, [{ op: 'add', path: '/m/a~1b', value: 1 }])).toEqual({ m: { 'a/b': 1 } });
  expect(applied({ m: { a: 1 } }, [{ op: 'remove', path: '/m/a' }])).toEqual({ m: {} });
  expect(() => applied({}, [{ op: 'add', path: '/m/a', value: 1 }])).toThrow('no parent');
});

test('a claim on a hostname lasts until its Capp is visible, or for five seconds', () => {
  const holder = { namespace: 'a', name: 'b', deleting: false };
  const isPending = true;
  const claimed = notes();
  claimed.note('one', holder, 0);
  claimed.note('two', { ...holder, name: 'c' }, 0);
  expect([claimed.of('one', 4_999), claimed.of('one', 5_000), claimed.of('three', 0)]).toEqual([
    [{ ...holder, isPending }],
    [],
    [],
  ]);
  claimed.settle('a', 'b');
  expect([claimed.of('one', 1), claimed.of('two', 1)]).toEqual([[], [{ ...holder, name: 'c', isPending }]]);
});

test('claims on hostnames are bounded in number and in bytes: the newest are kept', () => {
  const holder = { namespace: 'a', name: 'b', deleting: false };
  const claimed = notes();
  for (let index = 0; index < MOST_PENDING + 5; index += 1) claimed.note(`h-${index}`, holder, index);
  const held = (index: number) => claimed.of(`h-${index}`, MOST_PENDING).length;
  expect([held(4), held(5), held(MOST_PENDING + 4)]).toEqual([0, 1, 1]);
  const long = 'x'.repeat(254);
  claimed.note(long, holder, 0);
  claimed.note('name', { ...holder, name: long }, 0);
  claimed.note('namespace', { ...holder, namespace: long }, 0);
  expect([long, 'name', 'namespace'].flatMap((one) => claimed.of(one, 0))).toEqual([]);
});

test('every malformed object gets an answer, and every patch applies', () => {
  const dice = random(20_261_121);
  const facts = configured({
    defaultResources: { requests: { cpu: 1, memory: '1Gi' }, limits: { cpu: 2 } },
    invalidHostnamePatterns: ['[', 'a'],
  });
  let [refused, patched] = [0, 0];
  for (let round = 0; round < 2_000; round += 1) {
    const object = malformedCapp(dice);
    const given = asked(object, dice.chance(0.5) ? malformedCapp(dice) : null, { dryRun: dice.chance(0.1) });
    for (const path of Object.values(PATHS)) {
      const opinion = applyRules(path, given, facts);
      expect(() => applied(object, opinion?.patches ?? [])).not.toThrow();
      refused += opinion?.problems.length ?? 0;
      patched += opinion?.patches.length ?? 0;
    }
  }
  expect(Math.min(refused, patched)).toBeGreaterThan(1_000);
});
