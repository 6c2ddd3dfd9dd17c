import { Injectable } from '@nestjs/common';
import type { PlanId } from '#contracts';
import { type ListedResource, McpResource, McpResources, type ResourceContent, type ResourceVariables, type ToolCall } from '#mcp';
import { AppError } from '#platform';
import { summaryOf } from '../core/command-text.js';
import { Plans } from '../plans.js';
import { ConsoleLinks } from './console-links.js';
import { toPlanOutput } from './terminal.shapes.js';

const LISTED = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** MCP door to plans as resources. */
@Injectable()
@McpResources()
export class PlanResources {
  constructor(
    private readonly plans: Plans,
    private readonly links: ConsoleLinks,
  ) {}

  @McpResource({
    name: 'plan',
    uriTemplate: 'plan://{id}',
    title: 'Plan',
    description: 'A plan as terminal_plan answered it, with its status as it is now.',
    mimeType: 'application/json',
    scope: 'terminal:plan',
    perWorkspace: true,
    list: 'list',
    complete: { id: 'ids' },
  })
  async read({ id = '' }: ResourceVariables, { principal }: ToolCall): Promise<ResourceContent> {
    if (!UUID.test(id)) throw new AppError('PLAN_NOT_FOUND', 'No such plan');
    const plan = await this.plans.get(principal, id as PlanId);
    return { text: JSON.stringify(toPlanOutput(plan, this.links.toAsk(plan.askId)), null, 2) };
  }

  async list({ principal }: ToolCall): Promise<readonly ListedResource[]> {
    const plans = await this.plans.page(principal, { limit: LISTED });
    return plans.map(({ id, body, status }) => ({
      uri: `plan://${id}`,
      name: summaryOf(body, 60),
      description: status,
      mimeType: 'application/json',
    }));
  }

  async ids(typed: string, { principal }: ToolCall): Promise<readonly string[]> {
    const plans = await this.plans.page(principal, { limit: 200 });
    return plans.map(({ id }) => id as string).filter((id) => id.startsWith(typed));
  }
}
