import { Injectable } from '@nestjs/common';
import { EFFECTS, MODES, OUTCOMES, PATH_ROLES, RISKS, STAGE_JOINS } from '#contracts';
import { McpTool, McpTools, type ToolCall } from '#mcp';
import * as z from 'zod';
import { Explanations } from '../explanations.js';

const ExplainInput = z.object({
  workspace: z.string().max(200).optional().describe('Id or name of a workspace; without one the first.'),
  mode: z.enum(MODES).optional().describe('Default: the mode of the workspace.'),
  cwd: z.string().max(4_096).optional().describe('Working folder, absolute or counted from the workspace.'),
  argv: z.array(z.string()).min(1).max(1_024).optional().describe('The command as separate words. Give this or `command`.'),
  command: z.string().optional().describe('The command as one line of plain words, pipes, &&, || and ;.'),
});

const ExplainOutput = z.object({
  outcome: z.enum(OUTCOMES),
  risk: z.enum(RISKS),
  reasons: z.array(z.string()),
  rules: z.array(z.string()),
  mode: z.enum(MODES),
  cwd: z.string(),
  policy_version: z.string(),
  stages: z.array(z.object({ join: z.enum(STAGE_JOINS), argv: z.array(z.string()) })),
  facts: z.array(
    z.object({
      tool: z.string(),
      subcommand: z.string().nullable(),
      effects: z.array(z.enum(EFFECTS)),
      hosts: z.array(z.string()),
      understood: z.boolean(),
      touches: z.array(
        z.object({
          kind: z.enum(['path', 'host', 'env', 'unknown']),
          target: z.string(),
          role: z.enum([...PATH_ROLES, 'connect', 'set']),
          note: z.string(),
        }),
      ),
    }),
  ),
});

/** MCP door of explanations: what policy would say, before anything is planned. */
@Injectable()
@McpTools()
export class ExplainTools {
  constructor(private readonly explanations: Explanations) {}

  @McpTool({
    name: 'policy_explain',
    title: 'Explain what policy says to a command',
    description:
      'Tells whether a command would be allowed, would ask a person or would be denied, with every rule that fired and what the command would touch. Plans nothing and runs nothing.',
    effect: 'read',
    scope: null,
    input: ExplainInput,
    output: ExplainOutput,
  })
  async explain(input: z.output<typeof ExplainInput>, { principal }: ToolCall): Promise<z.input<typeof ExplainOutput>> {
    const { decision, mode, cwd, stages } = await this.explanations.explain({ principal, ...input });
    return {
      outcome: decision.outcome,
      risk: decision.risk,
      reasons: [...decision.reasons],
      rules: [...decision.rules],
      mode,
      cwd,
      policy_version: decision.policyVersion,
      stages: stages.map(({ join, argv }) => ({ join, argv: [...argv] })),
      facts: decision.stages.map(({ tool, subcommand, effects, hosts, understood, touches }) => ({
        tool,
        subcommand,
        effects: [...effects],
        hosts: [...hosts],
        understood,
        touches: touches.map((touch) => ({ ...touch })),
      })),
    };
  }
}
