// Text for the Temporal UI about a plan.
import type { Plan } from './plan.ts';

/** Markdown for the workflow's current details. */
export function describePlan({ cluster, at, capps, moves, stays }: Plan): string {
  const going = Object.values(moves).reduce((sum, count) => sum + count, 0);
  const lines = [
    `If **${cluster}** had been drained at ${at}, ${going} of ${capps} Capps would have moved. Nothing was changed.`,
  ];
  if (going > 0) {
    const targets = Object.entries(moves).toSorted(([a], [b]) => (a < b ? -1 : 1));
    lines.push(
      '',
      '| to | Capps |',
      '|---|---|',
      ...targets.map(([name, count]) => `| ${name} | ${count} |`),
    );
  }
  for (const { reason, count, message, names } of stays) {
    const more = count - names.length;
    lines.push('', `**${count} would stay: ${reason}.** ${message}`, ...names.map((name) => `- \`${name}\``));
    if (more > 0) lines.push(`- and ${more} more`);
  }
  return lines.join('\n');
}
