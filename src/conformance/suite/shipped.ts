import { checkGroup, type GroupReport } from '../judge/check.ts';
import { loadGroups } from './load.ts';

/**
 * Runs every vector that ships with the package against the shipped implementation.
 * @param onGroup - called as soon as a group is done
 * @returns a report for each group, in the order of the steps
 */
export async function checkShippedVectors(onGroup?: (report: GroupReport) => void): Promise<GroupReport[]> {
  const reports: GroupReport[] = [];
  for (const group of loadGroups()) {
    const report = await checkGroup(group);
    onGroup?.(report);
    reports.push(report);
  }
  return reports;
}
