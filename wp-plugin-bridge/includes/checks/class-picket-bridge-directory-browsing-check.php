<?php
/**
 * The check of directory browsing.
 *
 * @package PicketBridge
 */

/**
 * Requests a folder without an index file, which this check makes, and one of WordPress.
 */
final class Picket_Bridge_Directory_Browsing_Check extends Picket_Bridge_Check {

	/**
	 * Returns what the answer of a folder means. The control plane has the same function, and its tests have examples for both.
	 *
	 * @param string $folder The folder as it is shown.
	 * @param int    $status The HTTP status.
	 * @param string $body   The body.
	 * @return array{status: string, evidence: string}
	 */
	public static function judge( string $folder, int $status, string $body ): array {
		if ( 200 === $status && 1 === preg_match( '/<title>\s*(?:Index of|Directory listing)/i', $body ) ) {
			return self::result( 'failing', "$folder lists its files" );
		}
		if ( in_array( $status, array( 401, 403, 404, 410 ), true ) ) {
			return self::result( 'passing', "$folder refuses the list with HTTP $status" );
		}
		return 200 === $status
			? self::result( 'passing', "$folder answers without a list" )
			: self::result( 'unknown', "$folder answers with HTTP $status" );
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$core = Picket_Bridge_Self_Request::send( 'GET', includes_url() );
		if ( is_wp_error( $core ) ) {
			return self::unanswered( 'wp-includes/', $core );
		}
		$judged = self::judge( 'wp-includes/', $core['status'], $core['body'] );
		if ( 'failing' === $judged['status'] ) {
			return $judged;
		}
		$own = Picket_Bridge_Canary::with(
			array( 'list/picket-listed.txt' => 'listed' ),
			static function ( string $url ) {
				$list = Picket_Bridge_Self_Request::once( 'GET', "$url/list/" );
				$file = Picket_Bridge_Self_Request::once( 'GET', "$url/list/picket-listed.txt" );
				return is_wp_error( $file ) ? $file : array( $list, $file );
			}
		);
		if ( is_wp_error( $own ) ) {
			return self::unanswered( 'a folder below the uploads', $own );
		}
		list( $own, $file ) = $own;
		if ( is_wp_error( $own ) ) {
			return self::unanswered( 'a folder below the uploads', $own );
		}
		if ( false !== strpos( $own['body'], 'picket-listed.txt' ) ) {
			return self::result( 'failing', 'a folder below the uploads lists its files' );
		}
		if ( 'listed' !== trim( $file['body'] ) ) {
			return self::result( 'unknown', "a file below the uploads answers with HTTP {$file['status']}" );
		}
		return 'passing' === $judged['status'] ? self::judge( 'a folder below the uploads', $own['status'], $own['body'] ) : $judged;
	}

	/**
	 * Returns the directive for the whole site.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$lines = static function (): array {
			return array( 'Options -Indexes' );
		};
		return array( new Picket_Bridge_Htaccess_Block( 'directory-browsing', ABSPATH, $lines ) );
	}
}
