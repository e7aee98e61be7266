// A drill in words and tables.
import type { DrillView } from '../explain/drill.ts';
import type { Colours } from '../terminal.ts';
import { capps } from './drain.ts';
import { table } from './table.ts';

const NAMED = 15;

/** `isWide` names all that the status names. */
export function drillText(
  { site, going, rehearsal }: DrillView,
  { isWide, colours }: { readonly isWide: boolean; readonly colours: Colours },
): string {
  const { capps: all, ready, failed, unknown, leftOut, checks, sites, findings } = rehearsal;
  const head = `Of ${capps(all)} on ${site}, ${ready} passed every check, ${failed} failed one, and of ${unknown} not all is known. Nothing has been changed.`;
  const left =
    leftOut === 0 ? [] : [`${capps(leftOut)} more were not looked at: a drill looks at the first thousand.`];
  const shown = findings.slice(0, isWide ? findings.length : NAMED);
  const counted = checks.map((one) => [
    one.check,
    String(one.passed),
    String(one.failed),
    String(one.unknown),
  ]);
  const goes = going.slice(0, isWide ? going.length : NAMED);
  return [
    colours.bold(head),
    ...left,
    table(['CHECK', 'PASSED', 'FAILED', 'UNKNOWN'], counted),
    ...(sites.length === 0
      ? []
      : [
          table(
            ['TO', 'CAPPS', 'WHAT THE SITE SAYS'],
            sites.map((one) => [one.site, String(one.capps), one.message]),
          ),
        ]),
    ...(goes.length === 0
      ? []
      : [
          table(
            ['FIRST TO GO', 'TO'],
            goes.map((one) => [one.capp, one.site]),
          ),
        ]),
    ...(findings.length === 0 ? [] : [`${findingsTable(shown)}${more(findings.length - shown.length)}`]),
  ].join('\n\n');
}

function findingsTable(findings: DrillView['rehearsal']['findings']): string {
  return table(
    ['CAPP', 'TO', 'CHECK', 'RESULT', 'WHAT HELPS'],
    findings.map((one) => [
      one.capp,
      one.site === '' ? 'nowhere' : one.site,
      one.check,
      `${one.result} ${one.reason}`,
      one.message,
    ]),
  );
}

function more(left: number): string {
  return left <= 0 ? '' : `\nand ${left} more, which -o wide names.`;
}
