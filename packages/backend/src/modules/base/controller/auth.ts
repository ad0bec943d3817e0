import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { authRoutes } from '@netaclaw/contracts';
import { SignIn } from '../auth/sign_in.js';
import { handle, type Controller } from '../http/handler.js';

/** Signing in and out, and one's own account. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class AuthController implements Controller {
  @Inject() signIn: SignIn;

  readonly handlers = [
    handle(authRoutes.login, ({ body, ip }) => this.signIn.login(body, ip)),
    handle(authRoutes.refreshToken, ({ body, ip }) => this.signIn.refresh(body.refreshToken, ip)),
    handle(authRoutes.logout, async ({ actor }) => {
      await this.signIn.logout(actor);
      return {};
    }),
    handle(authRoutes.person, async ({ actor }) => this.signIn.person(actor)),
    handle(authRoutes.password, ({ actor, body }) => this.signIn.changePassword(actor, body)),
  ];
}
