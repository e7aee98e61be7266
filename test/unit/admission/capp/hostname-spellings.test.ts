// A hostname in other letters: whatever a tenant writes is refused, or is compared by the very name under
// which the sites answer. No spelling gets round whose domain is whose, nor round the Capp that has the name.
import { closedTo, knownRival } from '../../../../activities/hub/ship/hostname.ts';
import { PATHS } from '../../../../admission/router.ts';
import { byHostname, canonicalHostname, isFullyQualified } from '../../../../crds/capp/hostname.ts';
import { comparedName, hostnamesOf, routeName } from '../../../../crds/capp/route-name.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { asked, configured, judged, raw } from '../../../support/builders/admission.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { random as seeded } from '../../../support/builders/random.ts';

const ZONE = 'zone.io';
const DOMAINS = [{ domain: 'bank.zone.io', namespaces: ['bank'] }];
const dns = { zone: ZONE, provider: 'p', ttlSeconds: 60, allowedTargets: ['way.in'] };
const facts = configured({ dns, domains: DOMAINS });
const CONFIG = { namespace: 'system', name: 'config' };

/** Of the same name, or of one that looks like it. */
const SPELLINGS = [
  'shop.bank',
  'shop.bank.zone.io',
  'SHOP.Bank.zone.IO',
  'shop.bank.zone.io.',
  'shop.bank.zone.io..',
  'shop.bank.',
  '.shop.bank',
  'shop..bank',
  // The Kelvin sign is a k in lower case; the long s, the dotless i and full-width letters are none of ours.
  'shop.ban\u212A',
  '\u017Fhop.bank',
  'shop.bank.zone.\u0131o',
  'shop.\uFF42ank',
  // Dots that are none in DNS, and letters that nobody sees.
  'shop\u3002bank',
  'shop\uFF0Ebank.zone.io',
  'shop.bank\u200B',
  'shop.b\u0430nk',
  // Punycode of the Cyrillic look-alike: a name of its own.
  'shop.xn--bnk-5cd.zone.io',
  '*.bank',
  '*.bank.zone.io',
  'shop.bank.zone.io:443',
  'shop.bank/x',
  'shop.bank.zone.io\n',
  ' shop.bank',
  'https://shop.bank',
];

const capp = (hostname: string, namespace = 'apps', name = 'app'): Capp => {
  const made = aCapp({ namespace, name, uid: `${namespace}/${name}` });
  return { ...made, spec: { ...made.spec, routeSpec: { hostname } } };
};
/** The name under which a site answers; null where it takes none. */
const answers = (hostname: string): string | null => routeName(hostname, ZONE);

test.each(SPELLINGS)('%j is refused by the webhook, or is no name of the bank', (hostname) => {
  const request = asked(raw({ routeSpec: { hostname } }), null, { namespace: 'apps' });
  const isRefused = judged(PATHS.validateCapp, request, facts).problems.length > 0;
  const isBanks = answers(hostname)?.endsWith('.bank.zone.io') === true;
  expect(isRefused || !isBanks).toBe(true);
  // Without the webhook the hub worker ships nothing by which a site would answer for the bank.
  const isClosed = closedTo(capp(hostname), { zone: ZONE, domains: DOMAINS, config: CONFIG }) !== null;
  expect(isClosed || !isBanks).toBe(true);
  expect(isFullyQualified(hostname) || isRefused).toBe(true);
});

test('what does not look like a name in DNS gets none: neither a wildcard nor letters beyond ASCII', () => {
  const odd = SPELLINGS.filter((one) => !/^[a-z0-9.-]+$/.test(canonicalHostname(one)));
  expect(odd.length).toBeGreaterThan(8);
  for (const one of odd) expect(answers(one)).toBeNull();
});

const PARTS = [
  'shop',
  'SHOP',
  'bank',
  'BAN\u212A',
  'zone',
  'io',
  'ZONE',
  '.',
  '.',
  '.',
  '..',
  '-',
  '*',
  'xn--a',
  '\u3002',
  ' ',
  '\u017F',
];

test('5,000 names at random: two Capps under one name on a site are known to each other, in whatever spelling', () => {
  const { next, pick } = seeded(27);
  const names = Array.from({ length: 5_000 }, () =>
    Array.from({ length: 1 + Math.floor(next() * 7) }, () => pick(PARTS)).join(''),
  );
  let seen = 0;
  for (const name of names) {
    const answer = answers(name);
    if (answer === null) continue;
    seen += 1;
    expect(isFullyQualified(answer)).toBe(true);
    expect(comparedName(name, ZONE)).toBe(answer);
    // An index of hostnames as they are written finds each that answers by this name.
    expect(hostnamesOf(answer, 'ZONE.io.')).toContain(canonicalHostname(name));
  }
  expect(seen).toBeGreaterThan(300);
});

test.each(SPELLINGS.filter((one) => answers(one) === 'shop.bank.zone.io'))(
  '%j does not take the name from the Capp that has it',
  (hostname) => {
    const owner = capp('shop.bank', 'bank', 'owner');
    const late = capp(hostname, 'apps', 'late');
    const older = { ...owner, metadata: { ...owner.metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
    const younger = { ...late, metadata: { ...late.metadata, creationTimestamp: '2026-02-01T00:00:00Z' } };
    const cache = listed([older, younger] as never, { hostname: byHostname }) as never;
    expect(knownRival(cache, younger, ZONE)).toMatchObject({ namespace: 'bank', name: 'owner' });
    expect(knownRival(cache, older, ZONE)).toBeNull();
  },
);
