// Text for the Temporal UI about an order to empty a cluster.
import { turnsWorkflowId } from '../../names.ts';
import { taintCommand } from './progress.ts';

/** Markdown for the workflow's current details. */
export function describeOrder(cluster: string): string {
  const turns = turnsWorkflowId(cluster);
  return [
    `**Everything is to leave \`${cluster}\`.** Workflow \`${turns}\` carries that out, and this one ends with its account.`,
    '',
    `How far it is: \`temporal workflow query -w ${turns} --type view\``,
    '',
    `New Capps are kept away by a taint only, which is yours to set: \`${taintCommand(cluster)}\``,
  ].join('\n');
}
