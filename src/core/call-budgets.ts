/**
 * How many host calls each node operation may make (ARCHITECTURE.md, "Call budgets"). Through CSI Proxy up to 1.2
 * each storage call starts a PowerShell of about three seconds, so a sequence that grows is a regression: tests,
 * `demo` and `npm run bench` compare what they count with this table.
 */
export const CALL_BUDGETS = {
  'NodeStage, blank disk': 9,
  'NodeStage, formatted disk': 6,
  'NodeStage, repeat': 2,
  NodePublish: 2,
  'NodePublish, repeat': 1,
  NodeUnpublish: 1,
  NodeUnstage: 5,
  'NodeUnstage, repeat': 1,
  NodeExpand: 4,
  'NodeGetVolumeStats, local path': 0,
  NodeGetVolumeStats: 1,
} as const satisfies Record<string, number>;

export type BudgetedOperation = keyof typeof CALL_BUDGETS;
