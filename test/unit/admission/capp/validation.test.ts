// What admission refuses in a Capp, and with which messages.
import { FORCE, MIGRATE, PRIORITY } from '../../../../crds/labels.ts';
import { configured, known, raw, validated, problems } from '../../../support/builders/admission.ts';

const at = (site: string) => raw({ site });

const CLOSED = known({
  sites: () => [
    { name: 'site-1', isHub: false, mayPin: true },
    { name: 'site-2', isHub: false, mayPin: false },
  ],
});

describe('spec.site', () => {
  it.each(['', 'site-1', 'default'])('"%s" is accepted', (site) => {
    expect(validated(at(site))).toMatchObject({ problems: [], warnings: [] });
  });

  it('that does not exist is refused with the names that do', () => {
    expect(problems(at('atlantis'))).toEqual([
      'spec.site: "atlantis" is neither a site nor a placement. Name one of them, or leave it empty for the best site. ' +
        'Sites: site-1, site-2; placements: default',
    ]);
  });

  it('that names the hub is refused', () => {
    expect(problems(at('local-cluster'))[0]).toContain('is the hub itself');
  });

  it('in no clusterset of the placements is refused with the names that may be used', () => {
    expect(problems(at('site-2'), null, CLOSED)).toEqual([
      'spec.site: "site-2" is in no clusterset of the placements, so a Capp cannot be pinned to it: name a site that is (site-1), ' +
        'or let a placement choose; an administrator of the hub may allow all sites with pinning: Any in RCSConfig rcs-deployer-system/rcs-config',
    ]);
    expect(
      problems({ ...at('site-2'), spec: { site: 'site-2', state: 'disabled' } }, at('site-2'), CLOSED),
    ).toEqual([]);
  });

  it('that has disappeared since may stay unchanged', () => {
    expect(
      problems({ ...at('atlantis'), spec: { site: 'atlantis', state: 'disabled' } }, at('atlantis')),
    ).toEqual([]);
  });

  it('may name a site, or be empty with a warning, when there is no RCSConfig', () => {
    const facts = known({ config: null });
    expect(problems(at('site-1'), null, facts)).toEqual([]);
    expect(problems(at('default'), null, facts)[0]).toContain(
      'There is no RCSConfig rcs-deployer-system/rcs-config, so no placement either',
    );
    expect(validated(at(''), null, facts)).toMatchObject({
      problems: [],
      warnings: [expect.stringContaining('the Capp waits')],
    });
  });

  it('with a listed placement that does not exist yet gets a warning that the Capp waits', () => {
    expect(validated(at('late'), null, configured({ placements: ['late'] }))).toMatchObject({
      problems: [],
      warnings: ['There is no Placement placements/late yet: the Capp waits until it exists.'],
    });
  });
});

describe('a request by annotation', () => {
  const withRequest = (annotation: string, value: string) =>
    raw({}, { annotations: { [annotation]: value } });

  it.each([
    [MIGRATE, 'site-2#1'],
    [MIGRATE, '#2026-11-21T12:00:00Z'],
    [MIGRATE, ''],
    [FORCE, 'site-1#1'],
    [FORCE, '#1'],
  ])('%s: %s is accepted', (annotation, value) => {
    expect(problems(withRequest(annotation, value))).toEqual([]);
  });

  it.each([
    [MIGRATE, 'site-2', 'is not of the form <site>#<id>, or #<id> for any other site'],
    [MIGRATE, 'site-2#', 'is not of the form'],
    [MIGRATE, 'site-2#1#2', 'is not of the form'],
    [MIGRATE, 'site 2#1', 'is not of the form'],
    [MIGRATE, 'atlantis#1', 'there is no site "atlantis": name one that there is (site-1, site-2)'],
    [MIGRATE, 'local-cluster#1', 'there is no site "local-cluster"'],
    [FORCE, 'atlantis#1', 'there is no site "atlantis"'],
    [FORCE, 'site-1', 'is not of the form <site>#<id>'],
  ])('%s: %s is refused', (annotation, value, message) => {
    const told = problems(withRequest(annotation, value));
    expect(told).toEqual([expect.stringContaining(message)]);
    expect(told[0]).toContain(`metadata.annotations[${annotation}]: `);
  });

  it.each([MIGRATE, FORCE])('%s to a site in no clusterset of the placements is refused', (annotation) => {
    const told = problems(withRequest(annotation, 'site-2#1'), null, CLOSED);
    expect(told).toEqual([
      expect.stringContaining(
        `metadata.annotations[${annotation}]: "site-2" is in no clusterset of the placements`,
      ),
    ]);
    expect(problems(withRequest(annotation, '#1'), null, CLOSED)).toEqual([]);
  });

  it('that is unchanged is not checked again', () => {
    const before = withRequest(MIGRATE, 'atlantis#1');
    expect(problems({ ...before, spec: {} }, before)).toEqual([]);
  });
});

describe('a priority by annotation', () => {
  const withPriority = (value: string) => raw({}, { annotations: { [PRIORITY]: value } });

  it.each(['10', '0', '-5', '1000', '-1000', ''])('"%s" is accepted', (value) => {
    expect(problems(withPriority(value))).toEqual([]);
  });

  it.each(['high', '1.5', '1e3', ' 1', '0x10', '1001', '-1001', '1000000000', '--1'])(
    '"%s" is refused',
    (value) => {
      const told = problems(withPriority(value));
      expect(told).toEqual([
        expect.stringContaining(`metadata.annotations[${PRIORITY}]: "${value}" is not a whole number`),
      ]);
    },
  );

  it('that has become invalid since may stay unchanged', () => {
    const before = withPriority('high');
    expect(problems({ ...before, spec: {} }, before)).toEqual([]);
  });
});

test('a field without effect causes a warning when it is written, and not afterwards', () => {
  const older = raw({ routeSpec: { hostname: 'a.b', tlsSecret: 'x' } });
  expect(validated(older).warnings).toEqual([
    expect.stringContaining('spec.routeSpec.tlsSecret has no effect without'),
  ]);
  expect(validated(older, older).warnings).toEqual([]);
});

test('a Capp that is being deleted is accepted with invalid values', () => {
  const leaving = (spec: object) =>
    raw(spec, { deletionTimestamp: '2026-11-21T12:00:00Z', annotations: { [MIGRATE]: '?' } });
  const here = { routeSpec: { hostname: 'x' } };
  expect(problems(leaving({ site: 'atlantis', ...here }), leaving(here))).toEqual([]);
  expect(problems(leaving({ site: 'atlantis' }), leaving(here))).toEqual([]);
});
