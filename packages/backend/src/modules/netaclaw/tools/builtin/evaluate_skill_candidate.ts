import { z } from 'zod';
import { recordId, withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'evaluate_skill_candidate',
    toolset: 'skill_lifecycle',
    description:
      'Records how a proposed skill did in a trial. Only a candidate whose evaluation has passed can be released.',
    promptHint:
      'Record what a trial really showed. An evaluation that nothing was tried for is a false statement.',
    parameters: z.strictObject({
      candidate_id: recordId('Which candidate.'),
      passed: z.boolean().describe('Whether it did what it should.'),
      score: z.number().min(0).max(1).optional().describe('How well, from 0 to 1.'),
      benchmark_id: z.string().max(200).optional().describe('What it was measured with.'),
      report: z.string().max(20_000).optional().describe('What was tried and what came of it.'),
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    ({ candidate_id: id, ...fields }, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.evaluate(id, { fields, signal })),
});
