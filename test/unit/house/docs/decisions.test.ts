// Every decision page has a head and is in the index, and the docs have a remedy for every reason of a
// condition.
import { readdirSync, readFileSync } from 'node:fs';
import { HUB_REASONS, SITE_REASONS } from '../../../../crds/capp/conditions.ts';
import { HOLD_REASONS } from '../../../../crds/rollout/stages.ts';

const DOCS = new URL('../../../../docs/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, DOCS), 'utf8');

const index = read('decisions/README.md');
const decisions = readdirSync(new URL('decisions/', DOCS)).filter((file) => file !== 'README.md');
const HEAD =
  /^# (\d+)\. (.+)\n\n- Status: (Accepted|Superseded by \[\d+\]\(\d{4}-[\w-]+\.md\))\n- Date: (\d{4}-\d\d-\d\d(?:, renewed \d{4}-\d\d-\d\d)?)\n\n## /;

test('decision pages are numbered without a gap', () => {
  expect(decisions.map((file) => Number(file.slice(0, 4)))).toEqual(
    decisions.map((_, position) => position + 1),
  );
});

test.each(decisions)('%s has its number, title, status and date, and the index has the same', (file) => {
  const [, number, title, status, date] = HEAD.exec(read(`decisions/${file}`)) ?? [];
  expect(Number(number)).toBe(Number(file.slice(0, 4)));
  expect(index).toContain(`| ${number} | [${title}](${file}) | ${status} | ${date} |`);
});

const tables = ['run.md', 'move.md', 'recover.md', 'verification.md'].map(read).join('\n');
/** Reasons that need no remedy. */
const FINE: ReadonlySet<string> = new Set([
  'Chosen',
  'Applied',
  'Applying',
  'Serving',
  'NotObserved',
  'Moving',
  'Progressing',
  'RecordSynced',
]);

test.each(HUB_REASONS.filter((reason) => !FINE.has(reason)))(
  'the docs have a remedy for the reason %s',
  (reason) => {
    expect(tables).toMatch(new RegExp(`\`(?:[A-Za-z]+[=/])*${reason}\``));
  },
);

test('the docs name only reasons that exist', () => {
  const known = new Set<string>([...HUB_REASONS, ...SITE_REASONS]);
  const named = [...tables.matchAll(/`(?:[A-Z][A-Za-z]+=)?(?:True|False|Unknown)\/(\w+)`/g)].map(
    ([, reason = '']) => reason,
  );
  expect(named.filter((reason) => !known.has(reason))).toEqual([]);
});

test.each(HOLD_REASONS)(
  'the page on stages says what helps when a rollout waits for the reason %s',
  (reason) => {
    expect(read('stages.md')).toContain(`| \`${reason}\` | `);
  },
);
