import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AppError, Requires } from '#platform';
import { bundleExtras } from './bundle-extras.js';

/** Gives out the JSON Schemas (2020-12) of everything that stands in receipts and bundles. */
@ApiTags('receipts')
@Controller('receipts/schemas')
@Requires('receipts:read')
export class SchemasController {
  @Get()
  @ApiOkResponse({ type: String, isArray: true })
  async names(): Promise<readonly string[]> {
    return (await bundleExtras()).schemas.map(({ name }) => name);
  }

  @Get(':name')
  @Header('content-type', 'application/schema+json; charset=utf-8')
  @ApiOkResponse({ schema: { type: 'object' } })
  async read(@Param('name') name: string): Promise<string> {
    const schema = (await bundleExtras()).schemas.find((each) => each.name === name);
    if (!schema) throw new AppError('RESOURCE_NOT_FOUND', 'No such schema');
    return schema.text;
  }
}
