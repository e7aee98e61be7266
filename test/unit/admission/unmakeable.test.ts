// What no Pod can have is refused on the hub although Knative takes it: a site would say nothing of it.
import { problems, raw } from '../../support/builders/admission.ts';
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
