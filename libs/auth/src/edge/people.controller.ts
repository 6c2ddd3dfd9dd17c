import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { AccountLink, Principal, PrincipalId } from '#contracts';
import { Caller, EventFeed, Requires, StepUp } from '#platform';
import { AccountLinks } from '../account-links.js';
import { Logins } from '../logins.js';
import { People } from '../people.js';
import { SecondFactors } from '../second-factors.js';
import { SignInRules } from '../sign-in-rules.js';
import { ChangePersonDto, CreatePersonDto, PeopleDto, PersonDto, ResetPasswordDto, SignInRulesDto } from './people.dto.js';

/** REST door of people, for administrators. */
@ApiTags('people')
@Controller('people')
@Requires('admin')
export class PeopleController {
  constructor(
    private readonly people: People,
    private readonly logins: Logins,
    private readonly links: AccountLinks,
    private readonly factors: SecondFactors,
    private readonly rules: SignInRules,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @ApiOkResponse({ type: PeopleDto })
  async list(@Caller() by: Principal): Promise<PeopleDto> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    return new PeopleDto({ items: await this.people.list(by), seq });
  }

  @Get('sign-in-rules')
  @ApiOkResponse({ type: SignInRulesDto })
  async signInRules(): Promise<SignInRulesDto> {
    return { secondFactorRoles: await this.rules.secondFactorRoles() };
  }

  @Patch('sign-in-rules')
  @StepUp()
  @ApiOkResponse({ type: SignInRulesDto })
  async setSignInRules(@Caller() by: Principal, @Body() { secondFactorRoles }: SignInRulesDto): Promise<SignInRulesDto> {
    return { secondFactorRoles: await this.rules.requireSecondFactor(by, secondFactorRoles) };
  }

  @Post()
  @StepUp()
  @ApiCreatedResponse({ type: PersonDto })
  async create(@Caller() by: Principal, @Body() { name, password, roles, workspaceRoles }: CreatePersonDto): Promise<PersonDto> {
    return new PersonDto(await this.people.create({ by, name, password, roles, workspaceRoles }));
  }

  @Patch(':id')
  @StepUp()
  @ApiOkResponse({ type: PersonDto })
  async change(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: PrincipalId,
    @Body() { roles, workspaceRoles, disabled }: ChangePersonDto,
  ): Promise<PersonDto> {
    return new PersonDto(await this.people.change({ by, id, roles, workspaceRoles, disabled }));
  }

  @Post(':id/password')
  @StepUp()
  @HttpCode(204)
  @ApiNoContentResponse()
  async resetPassword(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: PrincipalId,
    @Body() { password }: ResetPasswordDto,
  ): Promise<void> {
    await this.logins.reset(by, id, password);
  }

  /** A one-use link with which the person sets a new password. It stands in this answer and in no other. */
  @Post(':id/reset-link')
  @StepUp()
  @ApiCreatedResponse({ schema: { type: 'object' } })
  offerReset(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: PrincipalId): Promise<AccountLink> {
    return this.links.offerReset(by, id);
  }

  /** For somebody who has lost their second factors. */
  @Delete(':id/factors')
  @StepUp()
  @HttpCode(204)
  @ApiNoContentResponse()
  removeFactors(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: PrincipalId): Promise<void> {
    return this.factors.removeAllOf(by, id);
  }
}
