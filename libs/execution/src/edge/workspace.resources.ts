import { Injectable } from '@nestjs/common';
import { McpResource, McpResources, type ResourceContent, type ResourceVariables, type ToolCall } from '#mcp';
import { WorkspaceFiles } from '../workspace-files.js';

/** MCP door to the files of a workspace. */
@Injectable()
@McpResources()
export class WorkspaceResources {
  constructor(private readonly files: WorkspaceFiles) {}

  @McpResource({
    name: 'workspace-file',
    uriTemplate: 'workspace:///{+path}',
    title: 'File of the first workspace',
    description: 'Text of a file, redacted and bounded. What a cat command would not be allowed to show is not there.',
    mimeType: 'text/plain',
    scope: 'terminal:execute',
    perWorkspace: true,
  })
  async first({ path = '' }: ResourceVariables, { principal }: ToolCall): Promise<ResourceContent> {
    return { text: await this.files.read(principal, undefined, path) };
  }

  @McpResource({
    name: 'named-workspace-file',
    uriTemplate: 'workspace://{workspace}/{+path}',
    title: 'File of a workspace',
    description: 'The same for a workspace by its id or name.',
    mimeType: 'text/plain',
    scope: 'terminal:execute',
    perWorkspace: true,
  })
  async named({ workspace, path = '' }: ResourceVariables, { principal }: ToolCall): Promise<ResourceContent> {
    return { text: await this.files.read(principal, workspace, path) };
  }
}
