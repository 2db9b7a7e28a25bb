export function LoginForm() {
  return <h1>Вход</h1>;
}
