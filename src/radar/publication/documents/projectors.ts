// Maps each kind of document to its projector. Projectors read private tables and public items,
// never other documents.
import type { DocumentKind } from '../../../store/schema/stories.ts';
import { projectRanking } from './project-ranking.ts';
import { projectDailies, projectMonthlies, projectWeeklies } from './project-report.ts';
import { projectStories } from './project-story.ts';
import type { Projector } from './projector.ts';

export const projectors: Readonly<Record<DocumentKind, Projector>> = {
  story: projectStories,
  ranking: projectRanking,
  daily: projectDailies,
  weekly: projectWeeklies,
  monthly: projectMonthlies,
};
