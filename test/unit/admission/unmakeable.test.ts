// What no Pod can have is refused on the hub although Knative takes it: a site would say nothing of it.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, problems, raw, said } from '../../support/builders/admission.ts';
import { MISTYPED, SLIPS, WHOLE } from '../../support/corpus/pods/deep.ts';
import { MAKEABLE, TOLD, UNMAKEABLE, UNREADABLE, UNTOLD } from '../../support/corpus/pods/unmakeable.ts';

const TEMPLATE = 'spec.configurationSpec.template';
const capp = (template: object, spec: object = {}): object =>
  raw({ configurationSpec: { template }, ...spec });

describe.each([...UNMAKEABLE, ...SLIPS, ...MISTYPED, ...UNTOLD, ...UNREADABLE])(
  '%s',
  (_title, template, field, words) => {
    it('is refused where it is written, with what to write', () => {
      expect(problems(capp(template))).toEqual([
        expect.stringMatching(new RegExp(`^${`${TEMPLATE}.${field}: `.replaceAll(/[[\]./]/g, '\\$&')}`)),
      ]);
      expect(problems(capp(template))[0]).toContain(words);
    });

    it('may stay where it was, and keeps nobody from another edit', () => {
      const edited = { ...template, spec: { ...template.spec, timeoutSeconds: 5 } };
      expect(problems(capp(edited, { state: 'disabled' }), capp(template))).toEqual([]);
    });
  },
);

test.each([...MAKEABLE, ...TOLD])('%s: Kubernetes takes it, so it is taken', (_title, template) => {
  expect(problems(capp(template))).toEqual([]);
});

test('all that Kubernetes knows of where Knative’s schema says nothing is taken', () => {
  expect(problems(capp(WHOLE))).toEqual([]);
});

test('an amount that could not be read before keeps nobody from another amount beside it', () => {
  const asking = (requests: object) =>
    capp({ spec: { containers: [{ name: 'app', image: 'i:1', resources: { requests } }] } });
  const before = asking({ memory: '64mb', cpu: 1 });
  expect(problems(asking({ memory: '64mb', cpu: 2 }), before)).toEqual([]);
  expect(problems(asking({ memory: '65mb', cpu: 1 }), before)).toEqual([expect.stringContaining('"65mb"')]);
});

test('an amount that nobody can read does not keep its container from another name', () => {
  const named = (...names: string[]) =>
    capp({
      spec: {
        containers: names.map((name) => ({ name, image: 'i:1', resources: { limits: { cpu: '1mm' } } })),
      },
    });
  expect(problems(named('b'), named('a'))).toEqual([]);
  // One that comes in before another is no other name of that one.
  expect(problems(named('b', 'a'), named('a'))).toContainEqual(
    expect.stringContaining('containers[0].resources'),
  );
});

describe('a misspelt field that came into a set before anybody looked for it', () => {
  const owner = { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'edge', uid: 'u' };
  const metadata = { name: 'edge-site-1', ownerReferences: [{ ...owner, controller: true }] };
  const hub = 'system:serviceaccount:cappstan-system:cappstan-hub';
  const child = (template: object, more: object = metadata) =>
    raw({ site: 'site-1', configurationSpec: { template } }, more);
  const answer = (object: object, username: string) =>
    judged(PATHS.validateCapp, asked(object, null, { username }));

  it.each(SLIPS)('does not keep its Capp from one more site: %s', (_title, template, field, words) => {
    const { problems: found, warnings } = answer(child(template), hub);
    expect([found, warnings]).toEqual([[], [expect.stringContaining(`${TEMPLATE}.${field}: `)]]);
    expect(warnings[0]).toContain(words);
  });

  const [[, slip] = []] = SLIPS;
  it.each<[string, object, string]>([
    ['whoever writes such a Capp himself', child(slip ?? {}), 'alice'],
    ['a Capp of no set', child(slip ?? {}, {}), hub],
    ['a value of another type, which no site has taken', child(MISTYPED[0]?.[1] ?? {}), hub],
  ])('is not let in for %s', (_what, object, username) => {
    expect(said(answer(object, username).problems)).toHaveLength(1);
  });
});
