// All architecture rules, in the order in which docs/architecture.md states them.
import type { Rule } from './rule.ts';
import { catalogueRules } from './rules/catalogues.ts';
import { databaseRules } from './rules/database.ts';
import { demoRules } from './rules/demo.ts';
import { faultRules } from './rules/faults.ts';
import { graphRules } from './rules/graph.ts';
import { layerRules } from './rules/layers.ts';
import { nameRules } from './rules/names.ts';
import { proofRules } from './rules/proofs.ts';
import { proseRules } from './rules/prose.ts';
import { shapeRules } from './rules/shape.ts';
import { sizeRules } from './rules/size.ts';
import { tableRules } from './rules/tables.ts';
import { textRules } from './rules/texts.ts';
import { typeRules } from './rules/type-names.ts';
import { vocabularyRules } from './rules/vocabulary.ts';
import { worldRules } from './rules/world.ts';

export const rules: readonly Rule[] = [
  ...layerRules,
  ...databaseRules,
  ...tableRules,
  ...worldRules,
  ...graphRules,
  ...shapeRules,
  ...sizeRules,
  ...nameRules,
  ...faultRules,
  ...demoRules,
  ...proofRules,
  ...vocabularyRules,
  ...typeRules,
  ...proseRules,
  ...textRules,
  ...catalogueRules,
];
