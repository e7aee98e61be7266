// What `kubectl capp plan --taint` reads, and how the answer of a supposed loss is shown.
import { taintFrom } from '../../../../cli/commands/drain/suppose.ts';
import { supposedText } from '../../../../cli/show/suppose.ts';

const PLAIN = { isWide: false, colours: { bold: (text: string) => text } as never };
const MOVES = {
  kind: 'Capp',
  name: 'apps/a',
  does: 'Moves',
  to: 'site-2',
  afterSeconds: 300,
  isEstimate: true,
  reason: 'SiteLost',
  message: 'site-1 cannot be reached.',
};

test('a taint is read with and without a value, and what is none names the remedy', () => {
  expect(taintFrom('site-3=maintenance:NoSelect')).toEqual({
    site: 'site-3',
    taint: { key: 'maintenance', effect: 'NoSelect' },
  });
  expect(taintFrom('site-3=example.com/a=b:NoSelectIfNew').taint).toEqual({
    key: 'example.com/a',
    value: 'b',
    effect: 'NoSelectIfNew',
  });
  expect(() => taintFrom('site-3')).toThrow('write site-3=maintenance:NoSelect');
  expect(() => taintFrom('site-3=a:NoExecute')).toThrow('use NoSelect, PreferNoSelect, NoSelectIfNew');
});

test('the answer counts what would happen, marks estimates, and names ten unless it is wide', () => {
  const stays = {
    ...MOVES,
    name: 'apps/b',
    does: 'Stays',
    to: null,
    isEstimate: false,
    message: 'It stays.',
  };
  const text = supposedText({ what: 'the loss of site-1', outlooks: [MOVES, stays] }, PLAIN);
  expect(text).toContain('With the loss of site-1, 1 would move, 1 would stay. Nothing has been changed.');
  expect(text).toMatch(/capp\/apps\/a +Moves +site-2 +after 5m +estimate +site-1 cannot be reached\./);
  expect(text).toMatch(/capp\/apps\/b +Stays +- +- +the hub +It stays\./);
  expect(text).toContain('estimate: OCM was not asked.');
  const known = supposedText({ what: 'x', outlooks: [stays] }, PLAIN);
  expect(known).not.toContain('OCM was not asked');
  const many = Array.from({ length: 12 }, () => stays);
  expect(supposedText({ what: 'x', outlooks: many }, PLAIN)).toContain('and 2 more, which -o wide names.');
});
