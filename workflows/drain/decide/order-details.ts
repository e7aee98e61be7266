// Text for the Temporal UI about a drain order.
import { turnsWorkflowId } from '../../names.ts';
import { taintCommand } from './progress.ts';

/** Markdown for the workflow's current details. */
export function describeOrder(cluster: string): string {
  const turns = turnsWorkflowId(cluster);
  return [
    `**All Capps must leave \`${cluster}\`.** Workflow \`${turns}\` carries that out, and this one ends with the result.`,
    '',
    `Progress: \`temporal workflow query -w ${turns} --type view\``,
    '',
    `Only a taint keeps new Capps away. Set it: \`${taintCommand(cluster)}\``,
  ].join('\n');
}
