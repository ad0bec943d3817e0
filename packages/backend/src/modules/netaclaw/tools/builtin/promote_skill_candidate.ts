import { z } from 'zod';
import { promoteSkill } from '../../sandbox/skill_release.js';
import { failed, ok, onComputer } from '../common.js';
import { recordId, showRecord } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'promote_skill_candidate',
    toolset: 'skill_lifecycle',
    description:
      'Releases a candidate whose evaluation has passed: canary for trial, stable for production. A stable release is also drafted into the skill store of this server for review, unless told otherwise; when that fails, the release is rolled back.',
    parameters: z.strictObject({
      candidate_id: recordId('Which candidate.'),
      stage: z.enum(['canary', 'stable']).default('canary').describe('Where it is used.'),
      sync_to_local: z
        .boolean()
        .default(true)
        .describe('Whether a stable release is drafted into the skill store.'),
    }),
    scene: 'computer',
    adminOnly: true,
  },
  sequential: true,
  create:
    (facilities) =>
    (input, { signal }) =>
      onComputer(facilities, signal, async ({ skills }) => {
        if (skills === null) return failed('This sandbox makes no skills.');
        const { candidate_id: candidateId, stage, sync_to_local: isSynced } = input;
        const saveDraft = facilities.saveSkillDraft ?? null;
        const isDrafted = stage === 'stable' && isSynced;
        if (isDrafted && saveDraft === null) {
          return failed('This server has no skill store. Release with sync_to_local false.');
        }
        const promotion = { candidateId, stage, saveDraft: isDrafted ? saveDraft : null, signal };
        const { release, draft } = await promoteSkill(skills, promotion);
        const note = draft === null ? '' : `\nThe draft "${draft}" waits for review in Skills.`;
        return ok(showRecord(release) + note);
      }),
});
