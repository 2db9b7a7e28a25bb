//! What watchers of the server ask.

use axum::Json;

/// Health Check
///
/// True as soon as the server answers.
#[utoipa::path(
    get, path = "/api/v1/utils/health-check/", operation_id = "utils-health_check", tag = "utils",
    responses((status = 200, description = "Up", body = bool))
)]
pub async fn health_check() -> Json<bool> {
    Json(true)
}
