// The name under which a Capp answers on a site with a zone, and which hostnames a CappConfig allows.
import { hostnameFault } from '../../../../site/route/allowed.ts';
import { comparedName, hostnamesOf, routeName } from '../../../../crds/capp/route-name.ts';

const ZONE = 'capp-zone.com.';

describe('the name of a hostname', () => {
  it.each([
    ['a bare hostname is in the zone', 'shop', ZONE, 'shop.capp-zone.com'],
    ['a hostname in the zone stays', 'shop.capp-zone.com', ZONE, 'shop.capp-zone.com'],
    ['letters are small', 'Shop', ZONE, 'shop.capp-zone.com'],
    ['a dot at the end is left out', 'shop.capp-zone.com.', ZONE, 'shop.capp-zone.com'],
    ['a hostname outside of the zone gets it too, as upstream', 'capp.dev', ZONE, 'capp.dev.capp-zone.com'],
    ['W-5 the zone itself is a name', 'capp-zone.com', ZONE, 'capp-zone.com'],
    [
      'W-6 a name that only ends like the zone is not in it',
      'mycapp-zone.com',
      ZONE,
      'mycapp-zone.com.capp-zone.com',
    ],
    ['W-22 a dot at the end makes no empty label', 'shop.', ZONE, 'shop.capp-zone.com'],
    ['without a zone a full name stays', 'shop.example.com', null, 'shop.example.com'],
    ['without a zone a bare one is none', 'shop', null, null],
    ['an invalid one is none', 'a_b', ZONE, null],
    ['an empty one is none', '', ZONE, null],
    ['one that is too long with the zone is none', 'a.'.repeat(124).slice(0, -1), ZONE, null],
  ])('%s: %s', (_, hostname, zone, name) => {
    expect(routeName(hostname, zone)).toBe(name);
  });

  it.each(['shop', 'shop.capp-zone.com', 'capp.dev', 'capp-zone.com', 'mycapp-zone.com'])(
    'leads back to the hostname %s',
    (hostname) => {
      expect(hostnamesOf(routeName(hostname, ZONE) ?? '', ZONE)).toContain(hostname);
    },
  );

  it.each(['shop.bank', 'Shop.Bank.', 'shop.bank.capp-zone.com', 'SHOP.bank.Capp-Zone.com.'])(
    'is the same for %s, whatever the spelling of the zone',
    (hostname) => {
      for (const zone of ['capp-zone.com', 'Capp-Zone.com.']) {
        expect(comparedName(hostname, zone)).toBe('shop.bank.capp-zone.com');
        expect(hostnamesOf('shop.bank.capp-zone.com', zone)).toEqual([
          'shop.bank.capp-zone.com',
          'shop.bank',
        ]);
      }
    },
  );

  it('is compared as it is where no zone is known, or no such name can be', () => {
    expect(comparedName('Shop.bank.', undefined)).toBe('shop.bank');
    expect(comparedName('a_B.', ZONE)).toBe('a_b');
    expect(hostnamesOf('shop.bank', null)).toEqual(['shop.bank']);
  });
});

describe('a CappConfig', () => {
  const rule = (match: string, explanation = '') => ({ match, explanation });
  const none = { hostnames: null, refusedHostnames: [] };

  it('without rules allows every hostname', () => {
    expect(hostnameFault(['shop.example.com'], none)).toBeNull();
  });

  it('allows what one of its patterns matches', () => {
    const hostnames = [rule(String.raw`.*\.example\.com`), rule('(?i)SHOP')];
    expect(hostnameFault(['a.example.com'], { ...none, hostnames })).toBeNull();
    expect(hostnameFault(['shop.else.com', 'shop'], { ...none, hostnames })).toBeNull();
  });

  it('W-21 does not allow a name of which only a part matches', () => {
    const hostnames = [rule(String.raw`.*\.example\.com`)];
    expect(hostnameFault(['x.example.com.evil.org'], { ...none, hostnames })).toMatchObject({
      reason: 'HostnameRefused',
    });
  });

  it('says what it allows, in the words of its administrators where there are some', () => {
    const hostnames = [rule('a', 'names of team a'), rule('b')];
    expect(hostnameFault(['c.example.com'], { ...none, hostnames })?.message).toBe(
      "The site's CappConfig does not allow c.example.com. It allows names of team a; b. Choose another hostname.",
    );
    expect(hostnameFault(['c.example.com'], { ...none, hostnames: [] })?.message).toContain(
      'It allows no hostname at all',
    );
  });

  it('of an older version refuses what a pattern is found in', () => {
    const refusedHostnames = ['evil'];
    expect(hostnameFault(['an-evil.example.com'], { ...none, refusedHostnames })?.message).toContain(
      'it matches evil',
    );
    expect(hostnameFault(['a.example.com'], { ...none, refusedHostnames })).toBeNull();
  });

  it('W-21 goes on with its other patterns when it cannot read one', () => {
    const hostnames = [rule('('), rule('shop')];
    expect(hostnameFault(['shop'], { hostnames, refusedHostnames: ['('] })).toBeNull();
  });
});
