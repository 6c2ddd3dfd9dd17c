import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { KyselyRequestRepository } from './adapters/kysely-request.repository.js';
import { McpCalls } from './calls.js';
import { McpChanges } from './changes.js';
import { LegacySessions } from './edge/legacy-sessions.js';
import { McpController } from './edge/mcp.controller.js';
import { OpenStreams } from './edge/open-streams.js';
import { FirstAnswers } from './first-answers.js';
import { FollowedEvents } from './followed-events.js';
import { RequestRepository } from './ports.js';
import { McpRegistry } from './registry.js';
import { RequestStates } from './request-states.js';
import { ServedPrompts } from './served-prompts.js';
import { ServedResources } from './served-resources.js';
import { ServedTools } from './served-tools.js';
import { McpServers } from './servers.js';

/** Owns the declarations of tools, resources and prompts, the pipeline of a call, and both doors of the protocol. */
@Module({
  imports: [DiscoveryModule],
  controllers: [McpController],
  providers: [
    McpRegistry,
    McpServers,
    McpCalls,
    McpChanges,
    FirstAnswers,
    FollowedEvents,
    LegacySessions,
    OpenStreams,
    RequestStates,
    ServedPrompts,
    ServedResources,
    ServedTools,
    { provide: RequestRepository, useClass: KyselyRequestRepository },
  ],
  exports: [McpChanges, McpRegistry],
})
export class McpModule {}
